import type { PublicKeyCredentialJSON } from '@simplewebauthn/server';
import type { Device } from './device.js';
import type { JsonOverrides } from './overrides.js';
import type { Passkey } from './passkey.js';

/** The part of a response that differs between registration and authentication. */
export interface CeremonyResult {
  readonly response: object;
  readonly clientExtensionResults: object;
}

/** The outermost object of either response. */
export function credentialJson<Json extends PublicKeyCredentialJSON>(
  result: CeremonyResult,
  passkey: Passkey,
  device: Device,
  overrides: JsonOverrides<Json>,
): Json {
  const { id = passkey.id, rawId = id, attachment = device.attachment, mutate } = overrides;
  const json = {
    id,
    rawId,
    type: 'public-key',
    authenticatorAttachment: attachment,
    ...result,
  } as object as Json;
  const replacement = mutate?.(json);
  return replacement === undefined ? json : (replacement as Json);
}
