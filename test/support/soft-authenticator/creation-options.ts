import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { decodeBase64Url } from './base64url.js';
import { checkDescriptors } from './descriptors.js';

/** Throws TypeError for options that `PublicKeyCredential.parseCreationOptionsFromJSON` would reject. */
export function checkCreationOptions(options: PublicKeyCredentialCreationOptionsJSON): void {
  const { rp, user, challenge, pubKeyCredParams, excludeCredentials } = options;
  checkName(rp?.name, 'rp.name');
  checkName(user?.name, 'user.name');
  checkName(user?.displayName, 'user.displayName');
  const { byteLength } = decodeBase64Url(user.id, 'user.id');
  if (byteLength < 1 || byteLength > 64) {
    throw new TypeError(`user.id has ${byteLength} bytes, not 1 to 64`);
  }
  decodeBase64Url(challenge, 'challenge');
  if (!Array.isArray(pubKeyCredParams)) throw new TypeError('pubKeyCredParams is not an array');
  for (const { alg, type } of pubKeyCredParams) {
    if (!Number.isInteger(alg)) throw new TypeError('alg is not an integer');
    checkName(type, 'type');
  }
  checkDescriptors(excludeCredentials, 'excludeCredentials');
}

function checkName(value: unknown, member: string): void {
  if (typeof value !== 'string') throw new TypeError(`${member} is not a string`);
}
