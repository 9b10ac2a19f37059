import type { ClientDataOverrides } from './overrides.js';

/** The facts that the browser, not the authenticator, attests (WebAuthn L3 §5.8.1). */
export interface ClientData {
  readonly type: 'webauthn.create' | 'webauthn.get';
  readonly challenge: string;
  readonly origin: string;
}

/** The bytes of clientDataJSON, members in Chromium's order. */
export function encodeClientData(truth: ClientData, overrides: ClientDataOverrides): Uint8Array {
  if (overrides.clientDataRaw !== undefined) return Buffer.from(overrides.clientDataRaw);
  const members = {
    type: overrides.type ?? truth.type,
    challenge: overrides.challenge ?? truth.challenge,
    origin: overrides.origin ?? truth.origin,
    crossOrigin: overrides.crossOrigin ?? false,
    topOrigin: overrides.topOrigin,
    ...overrides.clientData,
  };
  const { clientDataChars } = overrides;
  if (clientDataChars === undefined) return Buffer.from(JSON.stringify(members));
  return Buffer.from(padded(members, clientDataChars));
}

function padded(members: object, base64UrlChars: number): string {
  const withPadding = (padding: string) => JSON.stringify({ ...members, padding });
  const bytes = Math.floor((base64UrlChars * 3) / 4);
  const missing = bytes - Buffer.byteLength(withPadding(''));
  if (base64UrlChars % 4 === 1 || missing < 0) {
    throw new RangeError(`client data cannot have ${base64UrlChars} base64url characters`);
  }
  return withPadding('x'.repeat(missing));
}
