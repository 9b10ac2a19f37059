import type { PublicKeyCredentialDescriptorJSON } from '@simplewebauthn/server';
import { decodeBase64Url } from './base64url.js';

type Descriptors = readonly PublicKeyCredentialDescriptorJSON[] | undefined;

/** Throws TypeError unless every entry is a public key with a base64url id. */
export function checkDescriptors(descriptors: Descriptors, member: string): void {
  if (descriptors === undefined) return;
  if (!Array.isArray(descriptors)) throw new TypeError(`${member} is not an array`);
  for (const [index, { id, type }] of descriptors.entries()) {
    decodeBase64Url(id, `${member}[${index}].id`);
    if (type !== 'public-key') throw new TypeError(`${member}[${index}].type is not public-key`);
  }
}

export function includesId(descriptors: Descriptors, id: string): boolean {
  return descriptors?.some((descriptor) => descriptor.id === id) ?? false;
}
