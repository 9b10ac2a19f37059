import type { DataSource } from 'typeorm';
import { column, PreparedStatement } from '#libs/platform';

const MIB = 1024 * 1024;
const BATCH = 500;

/** Deletes a batch of the oldest. Keeps a client that just got a grant, and skips rows locked by other replicas. */
const REMOVE_UP_TO = new PreparedStatement<'createdAt'>(
  'remove-untried-clients',
  ({ type }) => `
    DELETE FROM oauth_clients WHERE granted_at IS NULL AND id IN (
      SELECT id FROM oauth_clients
      WHERE granted_at IS NULL AND created_at <= CAST(:createdAt AS bigint)
      ORDER BY created_at LIMIT ${BATCH} ${type === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''})`,
);

/** The `created_at` of the newest registration beyond the limit; reads only the index. */
const FIND_CUTOFF = new PreparedStatement<'keptBytes'>(
  'newest-client-too-many',
  `SELECT MAX(created_at) AS cutoff
   FROM (SELECT created_at, SUM(stored_bytes) OVER (ORDER BY created_at DESC) AS newer
         FROM oauth_clients WHERE granted_at IS NULL) AS unused
   WHERE newer > CAST(:keptBytes AS bigint)`,
);

/**
 * A sweep keeps the newest `keptBytes`; each replica accepts `stepBytes` before it sweeps again: 256 MiB in total when
 * four replicas are flooded at once.
 */
const LIMITS = { keptBytes: 240 * MIB, stepBytes: 4 * MIB };

/**
 * Bounds what strangers store by registering: keeps the newest registrations without a grant and removes the oldest, in
 * small batches. Each replica sweeps after every `stepBytes` too, which bounds a flood between two rounds.
 */
export class RegistrationStore {
  private left = 0;
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly limits = LIMITS,
  ) {}

  /** Reserves space for a registration of at most `stepBytes`; removes older registrations when needed. */
  async makeRoom(bytes: number): Promise<void> {
    while (bytes > this.left) {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
      await this.sweeping;
    }
    this.left -= bytes;
  }

  /** Removes all unused registrations that are older than the newest `keptBytes` of them. */
  async sweep(): Promise<void> {
    const { keptBytes } = this.limits;
    const [row = {}] = (await FIND_CUTOFF.run(this.database, { keptBytes })).rows;
    const createdAt = column.numberOrNull(row, 'cutoff');
    if (createdAt !== null) {
      while ((await REMOVE_UP_TO.run(this.database, { createdAt })).affected > 0);
    }
    this.left = this.limits.stepBytes;
  }
}
