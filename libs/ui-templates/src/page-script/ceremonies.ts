import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { isExpired, post, Refusal } from './auth-api.js';
import { immediateAuthentication } from './immediate.js';
import { signalUnknown } from './signals.js';

export function requestOptions() {
  return post<PublicKeyCredentialRequestOptionsJSON>('login/options', {});
}

/** Has passkey managers forget a passkey that was deleted here, and none that is merely unknown. */
export async function finishSignIn(response: AuthenticationResponseJSON) {
  try {
    await post('login/verify', response);
  } catch (error) {
    if (error instanceof Refusal && error.answer.isUnknownPasskey) signalUnknown(response.id);
    throw error;
  }
}

/** Options come first: Safari lets the click count only for what follows it directly. */
export async function signIn() {
  const optionsJSON = await requestOptions();
  await finishSignIn(await startAuthentication({ optionsJSON }));
}

/** With a passkey of this device, or not at all: throws NotAtHandError. */
export async function signInImmediately() {
  await finishSignIn(await immediateAuthentication(await requestOptions()));
}

/** With what the form for a new account has. */
export const signUp = (fields: object) => register(fields);

/** For whoever is signed in. */
export const addPasskey = () => register({});

/** A passkey that was just made and is refused is of no use; one that is taken is somebody's. */
async function register(fields: object): Promise<RegistrationResponseJSON> {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>(
    'register/options',
    fields,
  );
  const response = await startRegistration({ optionsJSON });
  try {
    await post('register/verify', response);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) signalUnknown(response.id);
    throw error;
  }
  return response;
}

/** A challenge lives five minutes, people take longer: once more with a new one, without a word. */
export async function againWhenExpired<Done>(ceremony: () => Promise<Done>): Promise<Done> {
  try {
    return await ceremony();
  } catch (error) {
    if (!isExpired(error)) throw error;
    return ceremony();
  }
}
