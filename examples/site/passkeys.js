import { toCreationOptions, toJson, toRequestOptions } from './credential-json.js';
import { ask } from './service.js';

export const hasPasskeys = () => 'PublicKeyCredential' in globalThis;

/** Browsers run passkeys on host names only: on `http://localhost`, but never on `http://127.0.0.1`. */
export const isOnAddress = () => /^(\d+(\.\d+){3}|\[.+\])$/.test(location.hostname);

/**
 * Creates an account; the answer brings the session cookie. A challenge is good for five minutes and one
 * answer, so every attempt begins with new options.
 */
export async function signUp(displayName) {
  const options = await ask('POST', '/svc/auth/register/options', { displayName });
  const credential = await navigator.credentials.create({ publicKey: toCreationOptions(options) });
  return ask('POST', '/svc/auth/register/verify', toJson(credential));
}

/** Any passkey of this site will do: the account is known by the passkey, there is no name to type. */
export async function signIn() {
  const options = await ask('POST', '/svc/auth/login/options', {});
  const credential = await navigator.credentials.get({ publicKey: toRequestOptions(options) });
  return ask('POST', '/svc/auth/login/verify', toJson(credential));
}
