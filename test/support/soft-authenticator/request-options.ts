import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { decodeBase64Url } from './base64url.js';
import { checkDescriptors } from './descriptors.js';

/** Throws TypeError for options that `PublicKeyCredential.parseRequestOptionsFromJSON` would reject. */
export function checkRequestOptions(options: PublicKeyCredentialRequestOptionsJSON): void {
  decodeBase64Url(options.challenge, 'challenge');
  checkDescriptors(options.allowCredentials, 'allowCredentials');
}
