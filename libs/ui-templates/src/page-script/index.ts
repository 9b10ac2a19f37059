/** `#libs/ui-templates/page-script`: what page scripts of other libs build on. */
export { isExpired, post, Refusal, send } from './auth-api.js';
export { againWhenExpired, finishSignIn, requestOptions, signIn, signUp } from './ceremonies.js';
export { control, element, goOn, say, setBusy } from './elements.js';
export { type Ceremony, errorMessage, refusalMessage } from './error-messages.js';
