import {
  type AuthenticationResponseJSON,
  base64URLStringToBuffer,
  bufferToBase64URLString,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialDescriptorJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { attempt } from './remembered.js';

/** How long options are valid that do not say it. */
const LIFETIME_MS = 300_000;

let dialog: AbortController | undefined;
let onToggle: ((isOpen: boolean) => void) | undefined;

/** The error where the page ends a dialog: named as that of a browser whose person cancelled, or took too long. */
export const CANCELLED = new DOMException('cancelled or expired', 'NotAllowedError');

export const cancelDialog = () => dialog?.abort(CANCELLED);

/** Ends the dialog or the suggestions that are open, for another one: their ceremony rejects with AbortError. */
export const replaceDialog = () => dialog?.abort(new DOMException('replaced', 'AbortError'));

/** Gives up with the options, and not by the signal alone: extensions that answer for the browser ignore it. */
async function whileOpen(
  lifetimeMs: number,
  ask: (signal: AbortSignal) => Promise<Credential | null>,
) {
  replaceDialog();
  const own = new AbortController();
  dialog = own;
  const { signal } = own;
  const expiry = setTimeout(() => own.abort(CANCELLED), lifetimeMs);
  try {
    onToggle?.(true);
    const end = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    const found = await Promise.race([ask(signal), end]);
    if (found === null) throw CANCELLED;
    return found as PublicKeyCredential;
  } finally {
    clearTimeout(expiry);
    if (dialog === own) dialog = undefined;
    onToggle?.(dialog !== undefined);
  }
}

/** Runs a ceremony; while its dialog is open, a button after `place` cancels it. */
export async function cancellable<Done>(
  place: Element,
  word: string,
  ceremony: () => Promise<Done>,
): Promise<Done> {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', hidden: true, textContent: word });
  button.addEventListener('click', cancelDialog);
  place.after(button);
  const before = document.activeElement;
  onToggle = (isOpen) => {
    const hadFocus = document.activeElement === button;
    button.hidden = !isOpen;
    if (hadFocus && before instanceof HTMLElement) before.focus();
  };
  try {
    return await ceremony();
  } finally {
    onToggle = undefined;
    button.remove();
  }
}

interface RequestKind {
  /** Suggests passkeys in a field, without a dialog. */
  readonly mediation?: 'conditional';
  /** Credential Management, §2.3.3: browsers that do not know it ignore it. */
  readonly uiMode?: 'immediate';
}

/** Throws the error of the browser, or {@link CANCELLED}. */
export async function askForPasskey(
  { challenge, allowCredentials, ...options }: PublicKeyCredentialRequestOptionsJSON,
  kind: RequestKind = {},
): Promise<AuthenticationResponseJSON> {
  const publicKey = {
    ...options,
    challenge: base64URLStringToBuffer(challenge),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
  } as PublicKeyCredentialRequestOptions;
  const found = await whileOpen(options.timeout ?? LIFETIME_MS, (signal) =>
    navigator.credentials.get({ publicKey, signal, ...kind }),
  );
  return assertionOf(found);
}

/** Throws as {@link askForPasskey}. */
export async function makePasskey({
  challenge,
  user,
  excludeCredentials = [],
  ...options
}: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> {
  const publicKey = {
    ...options,
    challenge: base64URLStringToBuffer(challenge),
    user: { ...user, id: base64URLStringToBuffer(user.id) },
    excludeCredentials: excludeCredentials.map(withBytes),
  } as PublicKeyCredentialCreationOptions;
  const made = await whileOpen(options.timeout ?? LIFETIME_MS, (signal) =>
    navigator.credentials.create({ publicKey, signal }),
  );
  return attestationOf(made);
}

const withBytes = ({ id, ...descriptor }: PublicKeyCredentialDescriptorJSON) => ({
  ...descriptor,
  id: base64URLStringToBuffer(id),
});

/**
 * Reads a credential member by member, never by its `toJSON`: extensions and old managers have none, or one that
 * throws. Throws for one without a member that the service needs.
 */
export function assertionOf(credential: PublicKeyCredential): AuthenticationResponseJSON {
  const response = credential.response as AuthenticatorAssertionResponse;
  // Some give an empty one in place of none.
  const userHandle = response.userHandle && base64url(response.userHandle);
  return {
    ...membersOf(credential),
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
      ...(userHandle ? { userHandle } : {}),
    },
  };
}

/** As {@link assertionOf}, of a new credential. */
export function attestationOf(credential: PublicKeyCredential): RegistrationResponseJSON {
  const response = credential.response as AuthenticatorAttestationResponse;
  const transports = attempt(() => response.getTransports()) as AuthenticatorTransport[];
  return {
    ...membersOf(credential),
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      ...(Array.isArray(transports) ? { transports } : {}),
    },
  };
}

/** The id is that of `rawId`: some spell `id` in another way. */
function membersOf(credential: PublicKeyCredential) {
  const { id, rawId, authenticatorAttachment: attachment } = credential;
  const own = base64url(rawId ?? id);
  return {
    id: own,
    rawId: own,
    type: 'public-key' as const,
    clientExtensionResults: attempt(() => credential.getClientExtensionResults()) ?? {},
    ...(typeof attachment === 'string'
      ? { authenticatorAttachment: attachment as AuthenticatorAttachment }
      : {}),
  };
}

function base64url(bytes: ArrayBuffer | ArrayBufferView | string | null | undefined): string {
  if (bytes === undefined || bytes === null) throw new TypeError('the passkey lacks a member');
  if (typeof bytes === 'string') return bytes;
  if (!ArrayBuffer.isView(bytes)) return bufferToBase64URLString(bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  return bufferToBase64URLString(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}
