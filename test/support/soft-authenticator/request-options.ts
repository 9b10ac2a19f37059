import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { decodeBase64Url } from './base64url.js';
import { checkDescriptors } from './descriptors.js';

/** Throws TypeError for what `PublicKeyCredential.parseRequestOptionsFromJSON` would not take. */
export function checkRequestOptions(options: PublicKeyCredentialRequestOptionsJSON): void {
  decodeBase64Url(options.challenge, 'challenge');
  checkDescriptors(options.allowCredentials, 'allowCredentials');
}
