/** A passkey as the relying party keeps it (WebAuthn L3 §4, credential record). */
export interface Credential {
  readonly id: string;
  readonly userId: string;
  /** The relying party id it was made for. */
  readonly rpId: string;
  /** COSE_Key bytes. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly signCount: number;
  readonly transports: string[];
  readonly backupEligible: boolean;
}

export const MAX_CREDENTIALS_PER_USER = 20;
