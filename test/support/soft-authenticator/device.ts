import type { AuthenticatorAttachment } from '@simplewebauthn/server';

/** The properties of the authenticator's device. */
export interface Device {
  readonly attachment: AuthenticatorAttachment;
  readonly transports: readonly string[];
  /** A UUID. */
  readonly aaguid: string;
  readonly backupEligible: boolean;
  readonly backupState: boolean;
  /** Whether each `get` increments the signature counter; it starts at 0 either way. */
  readonly countsUses: boolean;
}

const UNNAMED_MODEL = '00000000-0000-0000-0000-000000000000';

export const SYNCED_DEVICE: Device = {
  attachment: 'platform',
  transports: ['hybrid', 'internal'],
  aaguid: UNNAMED_MODEL,
  backupEligible: true,
  backupState: true,
  countsUses: false,
};

export const SECURITY_KEY_DEVICE: Device = {
  attachment: 'cross-platform',
  transports: ['usb', 'nfc'],
  aaguid: UNNAMED_MODEL,
  backupEligible: false,
  backupState: false,
  countsUses: true,
};
