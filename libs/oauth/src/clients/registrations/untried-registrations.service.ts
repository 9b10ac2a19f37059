import type { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/platform';

const MIB = 1024 * 1024;
const BATCH = 500;

/** A batch of the oldest. One that is given a grant meanwhile stays; one that others remove is theirs. */
const REMOVE_UP_TO = new PreparedStatement(
  'remove-untried-clients',
  ({ type }) => `
    DELETE FROM oauth_clients WHERE granted_at IS NULL AND id IN (
      SELECT id FROM oauth_clients
      WHERE granted_at IS NULL AND created_at <= CAST($1 AS bigint)
      ORDER BY created_at LIMIT ${BATCH} ${type === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''})`,
);

/** `keptBytes` stay at a sweep; each replica lets in `stepBytes` before it sweeps again. */
interface UntriedLimits {
  readonly keptBytes: number;
  readonly stepBytes: number;
}

/** 256 MiB in all, for four replicas that are flooded at once. */
const LIMITS: UntriedLimits = { keptBytes: 240 * MIB, stepBytes: 4 * MIB };

/**
 * Bounds what strangers can store by registering: of registrations that never reached a grant the
 * newest are kept, and the oldest go first, in small batches. Beside the sweeper's rounds each replica
 * sweeps whenever it has let in another step of bytes, so that a flood between two rounds finds no room.
 */
export class UntriedRegistrationsService {
  private left = 0;
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly limits: UntriedLimits = LIMITS,
  ) {}

  /** Takes room for a registration of so many bytes, at most a step of them; older ones make it. */
  async makeRoom(bytes: number): Promise<void> {
    while (bytes > this.left) {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
      await this.sweeping;
    }
    this.left -= bytes;
  }

  /** Removes all untried registrations that are older than the newest `keptBytes` of them. */
  async sweep(): Promise<void> {
    const cutoff = await this.newestTooMany();
    if (cutoff !== undefined) {
      while ((await REMOVE_UP_TO.run(this.database, [cutoff])).affected > 0);
    }
    this.left = this.limits.stepBytes;
  }

  /** When the newest one was registered that there is no room for; reads nothing but the index. */
  private async newestTooMany() {
    const [{ cutoff } = {}] = await this.database.query<{ cutoff?: unknown }[]>(
      `SELECT MAX(created_at) AS cutoff
       FROM (SELECT created_at, SUM(stored_bytes) OVER (ORDER BY created_at DESC) AS newer
             FROM oauth_clients WHERE granted_at IS NULL) AS untried
       WHERE newer > CAST($1 AS bigint)`,
      [this.limits.keptBytes],
    );
    return cutoff == null ? undefined : Number(cutoff);
  }
}
