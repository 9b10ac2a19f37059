import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { navigator, window } from './dom.js';

/** This device has no passkey for here, or none was picked: the browser does not tell which. */
class NotAtHandError extends Error {
  override readonly name = 'NotAtHandError';
}

/** Whether the browser can offer the passkeys of this device alone, and nothing when it has none. */
export async function offersImmediately(): Promise<boolean> {
  try {
    const capabilities = await window.PublicKeyCredential?.getClientCapabilities?.();
    return capabilities?.['immediateGet'] === true;
  } catch {
    return false;
  }
}

/**
 * Asks for a passkey of this device, without the detour to phones and security keys that people
 * without a passkey get lost in. Throws NotAtHandError when it came to nothing.
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
