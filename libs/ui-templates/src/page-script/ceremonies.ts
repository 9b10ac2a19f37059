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

/** Tells passkey managers to delete a passkey that was deleted here, but not one that is merely unknown. */
export async function finishSignIn(response: AuthenticationResponseJSON) {
  try {
    await post('login/verify', response);
  } catch (error) {
    if (error instanceof Refusal && error.answer.isUnknownPasskey) signalUnknown(response.id);
    throw error;
  }
}

/** The options are fetched first, because Safari accepts a click only for the call that follows it directly. */
export async function signIn() {
  const optionsJSON = await requestOptions();
  await finishSignIn(await startAuthentication({ optionsJSON }));
}

/** Signs in with a passkey of this device only. Throws NotAtHandError without one. */
export async function signInImmediately() {
  await finishSignIn(await immediateAuthentication(await requestOptions()));
}

/** Creates an account with the fields of its form. */
export const signUp = (fields: object) => register(fields);

/** Adds a passkey to the signed-in user's account. */
export const addPasskey = () => register({});

/**
 * Tells passkey managers to delete a new passkey that the service refused; a passkey that is already registered
 * stays, as it belongs to an account.
 */
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

/**
 * Runs the ceremony, and once more with a new challenge where the first one expired: a challenge lasts five minutes,
 * and people may take longer.
 */
export async function againWhenExpired<Done>(ceremony: () => Promise<Done>): Promise<Done> {
  try {
    return await ceremony();
  } catch (error) {
    if (!isExpired(error)) throw error;
    return ceremony();
  }
}
