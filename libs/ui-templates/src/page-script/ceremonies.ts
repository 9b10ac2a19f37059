import {
  type AuthenticationResponseJSON,
  bufferToBase64URLString,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { isExpired, post, Refusal } from './auth-api.js';
import { log } from './elements.js';
import { askForPasskey, CANCELLED, makePasskey } from './passkey-dialog.js';

/**
 * Signals to passkey managers (WebAuthn L3, §5.1.10), which delete or hide passkeys accordingly: call these only on
 * certain knowledge. They do nothing in browsers without support, and never fail.
 */
function signal(name: SignalName, details: object) {
  webAuthn()
    ?.[name]?.({ rpId: location.hostname, ...details })
    .catch(log);
}

type SignalName =
  'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails';

/** The used parts of `PublicKeyCredential`; old browsers lack some or all of them. */
type WebAuthn = Partial<Record<SignalName, (details: object) => Promise<void>>> & {
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean | undefined>>>;
};

const webAuthn = () => globalThis.PublicKeyCredential as WebAuthn | undefined;

/** For a passkey that the service reported as deleted, or that was never stored. */
const signalUnknown = (credentialId: string) => signal('signalUnknownCredential', { credentialId });

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

/** Whether the browser can offer only the passkeys of this device, and nothing when there are none. */
export async function offersImmediately(): Promise<boolean> {
  try {
    const capabilities = await webAuthn()?.getClientCapabilities?.();
    return capabilities?.['immediateGet'] === true;
  } catch {
    return false;
  }
}

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
export async function signInOnce() {
  await finishSignIn(await askForPasskey(await requestOptions()));
}

/** With a passkey of this device alone: phones and keys confuse people without one. Throws NotAtHandError. */
export async function signInImmediately() {
  const options = await requestOptions();
  const response = await askForPasskey(options, { uiMode: 'immediate' }).catch((error: Error) => {
    if (error.name !== 'NotAllowedError' || error === CANCELLED) throw error;
    // This device has no passkey for this site, or the person picked none: the browser does not tell which.
    throw new DOMException('no passkey at hand', 'NotAtHandError');
  });
  await finishSignIn(response);
}

/** Held by one tab at a time: a list that managers got during a creation would make them delete the new passkey. */
export const PASSKEY_LOCK = 'gatehouse-passkeys';

export const addPasskeyOnce = () => navigator.locks.request(PASSKEY_LOCK, () => signUpOnce({}));

/** Managers delete a new passkey that was refused; one that is registered already stays with its account. */
export async function signUpOnce(fields: object): Promise<RegistrationResponseJSON> {
  const options: PublicKeyCredentialCreationOptionsJSON = await post('register/options', fields);
  const response = await makePasskey(options);
  try {
    await post('register/verify', response);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) signalUnknown(response.id);
    throw error;
  }
  return response;
}

/** Runs it once more where its challenge has expired: people may take longer than its five minutes. */
export async function againWhenExpired<Done>(ceremony: () => Promise<Done>): Promise<Done> {
  try {
    return await ceremony();
  } catch (error) {
    if (!isExpired(error)) throw error;
    return ceremony();
  }
}
