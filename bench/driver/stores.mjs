// One Postgres and one Redis for all that is measured, and a database of its own in them for each server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  findPostgresFolder,
  findRedisServer,
} from '../../libs/platform/src/testbed/installed.testbed.ts';
import { startPostgresServer } from '../../libs/platform/src/testbed/postgres-server.testbed.ts';
import { startRedisServer } from '../../libs/platform/src/testbed/redis-server.testbed.ts';

/** What is committed is on the disk, as in production. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];

export class Stores {
  #folder = mkdtempSync(join(tmpdir(), 'bench-'));
  #postgres;
  #redis;
  #made = 0;
  #urls = [];

  /** Why there is no Postgres with Redis here; undefined where there is. */
  static missing() {
    if (findPostgresFolder() === undefined) return 'postgresql is not installed';
    if (findRedisServer() === undefined) return 'redis-server is not installed';
    return undefined;
  }

  /** A path for a SQLite file that does not exist yet. */
  file = () => join(this.#folder, `${(this.#made += 1)}.sqlite`);

  /** Addresses of an empty Postgres database and an empty Redis database. */
  async databases() {
    this.#postgres ??= startPostgresServer(DURABLE);
    this.#redis ??= startRedisServer();
    const [postgres, redis] = await Promise.all([this.#postgres, this.#redis]);
    const number = (this.#made += 1);
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`CREATE DATABASE bench${number}`);
    await client.end();
    const [postgresUrl, redisUrl] = [new URL(postgres.url), new URL(redis.url)];
    postgresUrl.pathname = `/bench${number}`;
    redisUrl.pathname = `/${number}`;
    this.#urls.push(postgresUrl.href);
    return {
      postgresUrl: postgresUrl.href,
      redisUrl: redisUrl.href,
      pids: [postgres.pid, redis.pid],
    };
  }

  /** Has Postgres know its tables as it does in operation: plans made while they were empty read them whole. */
  async analyze() {
    for (const connectionString of this.#urls) {
      const client = new Client({ connectionString });
      await client.connect();
      await client.query('VACUUM ANALYZE');
      await client.end();
    }
  }

  async stop() {
    const started = await Promise.all([this.#postgres, this.#redis]);
    await Promise.all(started.map((server) => server?.stop()));
    rmSync(this.#folder, { recursive: true });
  }
}
