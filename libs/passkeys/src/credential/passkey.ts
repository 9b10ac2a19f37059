import type { Session } from '#libs/accounts';
import { providerName } from './provider-name.js';

/** A passkey as its owner sees it; times are epoch seconds. */
export interface Passkey {
  readonly id: string;
  /** Null until the owner sets it. */
  readonly name: string | null;
  /** The passkey manager that stores it, when known. */
  readonly provider: string | null;
  /** Whether it was backed up at its last use; null when unknown. */
  readonly synced: boolean | null;
  readonly createdAt: number;
  /** The last sign-in with it; null before the first. */
  readonly lastUsedAt: number | null;
  /** Whether this session began with it. */
  readonly current: boolean;
}

interface StoredPasskey {
  readonly id: string;
  readonly name: string | null;
  readonly aaguid: string | null;
  readonly backedUp: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

export const toPasskey = (
  { id, name, aaguid, backedUp, createdAt, lastUsedAt }: StoredPasskey,
  { credentialId }: Pick<Session, 'credentialId'>,
): Passkey => ({
  id,
  name,
  provider: providerName(aaguid),
  synced: backedUp,
  createdAt: seconds(createdAt),
  lastUsedAt: lastUsedAt === null ? null : seconds(lastUsedAt),
  current: id === credentialId,
});
