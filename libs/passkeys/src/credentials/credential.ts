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
  /** Whether it is synced right now; null where nobody knows. */
  readonly backedUp: boolean | null;
  /** The kind of authenticator, as a UUID; null where it does not tell. For showing alone: nothing attests it. */
  readonly aaguid: string | null;
}

/** One that an authenticator has just made, before it belongs to anybody. */
export type NewCredential = Omit<Credential, 'userId'>;

/** What an assertion tells about its authenticator. */
export interface Asserted {
  readonly signCount: number;
  readonly backedUp: boolean;
}

export const MAX_CREDENTIALS_PER_USER = 20;
