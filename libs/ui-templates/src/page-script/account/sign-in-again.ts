import { startAuthentication } from '@simplewebauthn/browser';
import { finishSignIn, requestOptions } from '../ceremonies.js';
import { send } from '../auth-api.js';
import { userHandle } from '../signals.js';
import type { Passkey } from './passkeys/passkey.js';

/** The person picked a passkey of another account; it was not sent. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';
}

/**
 * Signs in once more, with a passkey of this account: any other passkey would replace the session by one of another
 * account. Throws OtherAccountError and what a sign-in throws.
 */
export async function signInAgain(userId: string) {
  const [options, { passkeys }] = await Promise.all([
    requestOptions(),
    send<{ readonly passkeys: readonly Passkey[] }>('GET', '/svc/me/passkeys'),
  ]);
  const allowCredentials = passkeys.map(({ id }) => ({ id, type: 'public-key' as const }));
  const response = await startAuthentication({ optionsJSON: { ...options, allowCredentials } });
  const handle = response.response.userHandle;
  if (handle !== undefined && handle !== userHandle(userId)) throw new OtherAccountError();
  await finishSignIn(response);
}
