import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { CborValue } from './cbor.js';
import type { CoseKey } from './cose-key.js';
import type { KeyPair } from './key-pair.js';

/** Faults in clientDataJSON. */
export interface ClientDataOverrides {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  /** Members merged in last; `undefined` removes one. */
  clientData?: Readonly<Record<string, unknown>>;
  /** Pads the JSON until its base64url text has exactly this many characters. */
  clientDataChars?: number;
  /** Replaces the whole text or bytes; every other client data override is then ignored. */
  clientDataRaw?: string | Uint8Array;
}

/** Faults in the authenticator data. */
export interface AuthenticatorDataOverrides {
  /** The relying party whose hash is sent. */
  rpId?: string;
  up?: boolean;
  uv?: boolean;
  be?: boolean;
  bs?: boolean;
  /** The whole flags byte; `up`, `uv`, `be` and `bs` are then ignored. */
  flags?: number;
  counter?: number;
  /** Extension outputs, sent with the ED flag. */
  authExtensions?: ReadonlyMap<string, CborValue>;
  /** Bytes after the end. */
  trailing?: Uint8Array;
}

/** Faults in the signature; in `create` they only show when `fmt` is `packed`. */
export interface SignatureOverrides {
  /** A well-formed signature, by the right key, over other data. */
  badSignature?: boolean;
  /** These bytes instead of a signature. */
  signature?: Uint8Array;
  /** Another key signs. */
  signingKey?: KeyPair;
}

/** Faults in the JSON around it all. */
export interface JsonOverrides<Json> {
  /** The JSON `id`, and `rawId` too unless that is overridden itself. */
  id?: string;
  rawId?: string;
  attachment?: string | null;
  /** Applied last: edits the JSON in place or returns a replacement. */
  mutate?: (json: Partial<Json>) => unknown;
}

export interface CreateOverrides
  extends
    ClientDataOverrides,
    AuthenticatorDataOverrides,
    SignatureOverrides,
    JsonOverrides<RegistrationResponseJSON> {
  /** The new passkey's id, base64url or bytes. A passkey that already has it is kept as it is. */
  credentialId?: string | Uint8Array;
  /** Length in bytes of the new passkey's random id. */
  credentialIdLength?: number;
  /** The algorithm named in the public key (and in a packed statement), whatever the key is. */
  alg?: number;
  /** The public key: a map to encode, or bytes as they are. */
  cose?: CoseKey | Uint8Array;
  /** A UUID, or bytes as they are. */
  aaguid?: string | Uint8Array;
  /** Attestation format; `packed` brings a self attestation unless `attStmt` is given. */
  fmt?: string;
  attStmt?: CborValue;
  transports?: unknown;
  /** The authenticator does not store the passkey. */
  discard?: boolean;
}

export interface GetOverrides
  extends
    ClientDataOverrides,
    AuthenticatorDataOverrides,
    SignatureOverrides,
    JsonOverrides<AuthenticationResponseJSON> {
  /** `false` omits the member. */
  userHandle?: string | null | false;
}
