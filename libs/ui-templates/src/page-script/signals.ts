import { bufferToBase64URLString } from '@simplewebauthn/browser';
import { location, window } from './dom.js';

/**
 * What passkey managers are told (WebAuthn L3, §5.1.10). They delete and hide by it: nothing here may
 * be called on a guess. Browsers that do not know it are left alone, and it never fails.
 */
function signal(name: SignalName, details: object) {
  const send = window.PublicKeyCredential?.[name];
  const rpId = location.hostname;
  // oxlint-disable-next-line no-console
  send?.call(window.PublicKeyCredential, { rpId, ...details }).catch(console.warn);
}

type SignalName =
  'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails';

/** For a passkey that the service said was deleted, or that was never kept. */
export const signalUnknown = (credentialId: string) =>
  signal('signalUnknownCredential', { credentialId });

/** All passkeys of the account: managers hide what is not among them. None is no such list. */
export function signalAccepted(userId: string, credentialIds: readonly string[]) {
  if (credentialIds.length > 0) acceptOnly(userId, credentialIds);
}

/** For an account that was deleted: none of its passkeys is good for anything. */
export const signalDeletedAccount = (userId: string) => acceptOnly(userId, []);

export const signalName = (userId: string, name: string) =>
  signal('signalCurrentUserDetails', { userId: userHandle(userId), name, displayName: name });

const acceptOnly = (userId: string, allAcceptedCredentialIds: readonly string[]) =>
  signal('signalAllAcceptedCredentials', { userId: userHandle(userId), allAcceptedCredentialIds });

/** The user id as passkeys keep it. */
export const userHandle = (userId: string) =>
  bufferToBase64URLString(new TextEncoder().encode(userId).buffer);
