import { Client } from 'pg';
import { eventually } from '#libs/platform/testing';

/**
 * Suspends every write to a Postgres database: reads proceed, and statements that write, or lock a row for a write,
 * wait until `release`.
 */
export class HeldWrites {
  private constructor(private readonly client: Client) {}

  static async hold(connectionString: string): Promise<HeldWrites> {
    const client = new Client({ connectionString });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables
       WHERE schemaname = 'public' AND tablename NOT LIKE '%migrations%'`,
    );
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
    return new HeldWrites(client);
  }

  /** Resolves when at least `count` statements wait in the middle of a write. */
  async waiting(count: number): Promise<void> {
    await eventually(async () => {
      const { rows } = await this.client.query<{ n: number }>(
        `SELECT COUNT(DISTINCT pid)::int AS n FROM pg_locks
         WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      const n = rows[0]?.n ?? 0;
      if (n < count) throw new Error(`${n} wait`);
    });
  }

  async release(): Promise<void> {
    await this.client.end();
  }
}
