import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { navigator, window } from './dom.js';

/** This device has no passkey for this site, or the person picked none: the browser does not tell which. */
class NotAtHandError extends Error {
  override readonly name = 'NotAtHandError';
}

/** Whether the browser can offer only the passkeys of this device, and nothing when there are none. */
export async function offersImmediately(): Promise<boolean> {
  try {
    const capabilities = await window.PublicKeyCredential?.getClientCapabilities?.();
    return capabilities?.['immediateGet'] === true;
  } catch {
    return false;
  }
}

/**
 * Asks for a passkey of this device, without offering phones and security keys, which confuse people without a
 * passkey. Throws NotAtHandError when the person used none.
 */
export async function immediateAuthentication(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const publicKey = window.PublicKeyCredential?.parseRequestOptionsFromJSON?.(options);
  if (publicKey === undefined) throw new NotAtHandError();
  try {
    const credential = await navigator.credentials.get({ publicKey, uiMode: 'immediate' });
    return (credential as { toJSON(): AuthenticationResponseJSON }).toJSON();
  } catch (error) {
    throw (error as Error).name === 'NotAllowedError' ? new NotAtHandError() : error;
  }
}
