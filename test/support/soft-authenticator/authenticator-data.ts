import { createHash } from 'node:crypto';
import { encodeCbor } from './cbor.js';
import type { AuthenticatorDataOverrides } from './overrides.js';

const FLAG = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 };

export interface AuthenticatorData {
  readonly rpId: string;
  readonly backupEligible: boolean;
  readonly backupState: boolean;
  readonly counter: number;
  /** Attested credential data; only in a registration. */
  readonly attested?: Uint8Array;
}

/** The bytes that are signed (WebAuthn L3 §6.1); the user is always present and verified. */
export function encodeAuthenticatorData(
  truth: AuthenticatorData,
  overrides: AuthenticatorDataOverrides,
): Uint8Array {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(overrides.counter ?? truth.counter);
  return Buffer.concat([
    sha256(overrides.rpId ?? truth.rpId),
    Uint8Array.of(overrides.flags ?? flags(truth, overrides)),
    counter,
    truth.attested ?? Buffer.alloc(0),
    overrides.authExtensions ? encodeCbor(overrides.authExtensions) : Buffer.alloc(0),
    overrides.trailing ?? Buffer.alloc(0),
  ]);
}

function flags(truth: AuthenticatorData, overrides: AuthenticatorDataOverrides): number {
  const set = [
    (overrides.up ?? true) && FLAG.UP,
    (overrides.uv ?? true) && FLAG.UV,
    (overrides.be ?? truth.backupEligible) && FLAG.BE,
    (overrides.bs ?? truth.backupState) && FLAG.BS,
    truth.attested && FLAG.AT,
    overrides.authExtensions && FLAG.ED,
  ];
  return set.reduce<number>((byte, flag) => byte | (flag || 0), 0);
}

export function sha256(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
