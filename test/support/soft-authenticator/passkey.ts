import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { encodeBase64Url } from './base64url.js';
import type { KeyPair } from './key-pair.js';
import type { CreateOverrides } from './overrides.js';

const ID_BYTES = 32;

/** A discoverable credential as the authenticator stores it; immutable. */
export interface Passkey {
  /** base64url. */
  readonly id: string;
  readonly rpId: string;
  /** The user id of the creation options, base64url. */
  readonly userHandle: string;
  readonly userName: string;
  readonly userDisplayName: string;
  readonly keyPair: KeyPair;
  /** The signature counter last used. */
  readonly counter: number;
}

/** A passkey for the user of the options, with a counter of 0. */
export function newPasskey(
  rpId: string,
  { user }: PublicKeyCredentialCreationOptionsJSON,
  keyPair: KeyPair,
  overrides: CreateOverrides,
): Passkey {
  return {
    id: newId(overrides),
    rpId,
    userHandle: user.id,
    userName: user.name,
    userDisplayName: user.displayName,
    keyPair,
    counter: 0,
  };
}

function newId({ credentialId, credentialIdLength = ID_BYTES }: CreateOverrides): string {
  if (typeof credentialId === 'string') return credentialId;
  return encodeBase64Url(credentialId ?? randomBytes(credentialIdLength));
}
