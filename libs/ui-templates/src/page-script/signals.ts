import { bufferToBase64URLString } from '@simplewebauthn/browser';
import { location, window } from './dom.js';

/**
 * Signals to passkey managers (WebAuthn L3, §5.1.10), which delete or hide passkeys accordingly: call these only on
 * certain knowledge. They do nothing in browsers without support, and never fail.
 */
function signal(name: SignalName, details: object) {
  const send = window.PublicKeyCredential?.[name];
  const rpId = location.hostname;
  // oxlint-disable-next-line no-console
  send?.call(window.PublicKeyCredential, { rpId, ...details }).catch(console.warn);
}

type SignalName =
  'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails';

/** For a passkey that the service reported as deleted, or that was never stored. */
export const signalUnknown = (credentialId: string) =>
  signal('signalUnknownCredential', { credentialId });

/** The account's complete list of passkeys: managers hide the others. An empty list is not sent. */
export function signalAccepted(userId: string, credentialIds: readonly string[]) {
  if (credentialIds.length > 0) acceptOnly(userId, credentialIds);
}

/** For a deleted account: none of its passkeys works any more. */
export const signalDeletedAccount = (userId: string) => acceptOnly(userId, []);

export const signalName = (userId: string, name: string) =>
  signal('signalCurrentUserDetails', { userId: userHandle(userId), name, displayName: name });

const acceptOnly = (userId: string, allAcceptedCredentialIds: readonly string[]) =>
  signal('signalAllAcceptedCredentials', { userId: userHandle(userId), allAcceptedCredentialIds });

/** The user id in the form in which passkeys store it. */
export const userHandle = (userId: string) =>
  bufferToBase64URLString(new TextEncoder().encode(userId).buffer);
