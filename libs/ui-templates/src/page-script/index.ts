/** `#libs/ui-templates/page-script`: shared code for the page scripts of other libs. */
export { textForNumber } from '../locale/counted.js';
export { post, Refusal, send } from './auth-api.js';
export {
  addPasskey,
  againWhenExpired,
  finishSignIn,
  requestOptions,
  signIn,
  signUp,
} from './ceremonies.js';
export { goOn } from './elements.js';
export { type Ceremony, errorMessage } from './error-messages.js';
export { rememberSignOut } from './signed-out.js';
export { toldReason } from './told-reason.js';
export { signalAccepted, signalDeletedAccount, signalName, userHandle } from './signals.js';
