import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { isExpired, post } from './auth-api.js';
import { immediateAuthentication } from './immediate.js';

export function requestOptions() {
  return post<PublicKeyCredentialRequestOptionsJSON>('login/options', {});
}

export function finishSignIn(response: AuthenticationResponseJSON) {
  return post('login/verify', response);
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

export async function signUp(displayName: string) {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('register/options', {
    displayName,
  });
  await post('register/verify', await startRegistration({ optionsJSON }));
}

/** A challenge lives five minutes, people take longer: once more with a new one, without a word. */
export async function againWhenExpired(ceremony: () => Promise<unknown>) {
  try {
    await ceremony();
  } catch (error) {
    if (!isExpired(error)) throw error;
    await ceremony();
  }
}
