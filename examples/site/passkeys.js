import { toCreationOptions, toJson, toRequestOptions } from './credential-json.js';
import { ask } from './service.js';

export const hasPasskeys = () => 'PublicKeyCredential' in globalThis;

/** Browsers run passkeys on host names only: on `http://localhost`, but never on `http://127.0.0.1`. */
export const isOnAddress = () => /^(\d+(\.\d+){3}|\[.+\])$/.test(location.hostname);

/** Creates an account. The answer brings the session cookie. */
export const signUp = (displayName) => register({ displayName });

/** One more passkey for the account that is signed in, for example on another device. */
export const addPasskey = () => register({});

/** Any passkey of this site will do: the account is known by the passkey, there is no name to type. */
export async function signIn() {
  const options = await ask('POST', '/svc/auth/login/options', {});
  const credential = await navigator.credentials.get({ publicKey: toRequestOptions(options) });
  return ask('POST', '/svc/auth/login/verify', toJson(credential));
}

/** A challenge is good for five minutes and one answer, so every attempt begins with new options. */
async function register(fields) {
  const options = await ask('POST', '/svc/auth/register/options', fields);
  const credential = await navigator.credentials.create({ publicKey: toCreationOptions(options) });
  return ask('POST', '/svc/auth/register/verify', toJson(credential));
}
