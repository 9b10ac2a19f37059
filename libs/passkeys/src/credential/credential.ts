/** A passkey as the relying party stores it (WebAuthn L3 §4, credential record). */
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
  /** Whether it was synced at its last use; null when unknown. */
  readonly backedUp: boolean | null;
  /** The model of the authenticator, as a UUID; null when not reported. For display only: it is not attested. */
  readonly aaguid: string | null;
}

/** A new credential, before it has an owner. */
export type NewCredential = Omit<Credential, 'userId'>;

/** What an assertion reports about its authenticator. */
export interface Asserted {
  readonly signCount: number;
  readonly backedUp: boolean;
}

export const MAX_CREDENTIALS_PER_USER = 20;
