export { ALG, type Algorithm } from './algorithm.js';
export { decodeBase64Url, encodeBase64Url } from './base64url.js';
export { encodeCbor, type CborValue } from './cbor.js';
export type { CoseKey } from './cose-key.js';
export type { Device } from './device.js';
export { KeyPair } from './key-pair.js';
export type { CreateOverrides, GetOverrides } from './overrides.js';
export type { Passkey } from './passkey.js';
export {
  SoftAuthenticator,
  type CreateRequest,
  type GetRequest,
  type SoftAuthenticatorOptions,
} from './soft-authenticator.js';
