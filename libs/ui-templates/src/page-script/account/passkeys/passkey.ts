/** A passkey as listed by `/svc/me/passkeys`; times are epoch seconds. */
export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly provider: string | null;
  readonly synced: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly current: boolean;
}
