/** As `/svc/me/passkeys` lists it; times are epoch seconds. */
export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly provider: string | null;
  readonly synced: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly current: boolean;
}
