import { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { sqliteForTests } from '#libs/platform/testing';
import { OAuth0001Migration1795219200004 } from './oauth-0001.migration.js';
import { OAuth0003Migration1795305600021 } from './oauth-0003.migration.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

describe('migration of registrations', () => {
  let dataSource: DataSource;
  let dispose: () => Promise<unknown>;

  beforeAll(async () => {
    const { path, dispose: remove } = await sqliteForTests();
    dispose = remove;
    const migrations = [
      // Only the users migration: with later ones, the undo would revert one of those.
      ...accountsMigrations.slice(0, 1),
      OAuth0001Migration1795219200004,
      OAuth0003Migration1795305600021,
    ];
    dataSource = await new DataSource({ type: 'sqlite', database: path, migrations }).initialize();
    await dataSource.runMigrations();
    await dataSource.undoLastMigration();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await dispose();
  });

  it('tells untried ones, which get their 30 days, from those that had a grant', async () => {
    const now = Date.now();
    const insert = (id: string, usedAt: number, expiresAt: number) =>
      dataSource.query(
        `INSERT INTO oauth_clients (id, metadata, created_at, last_used_at, expires_at)
         VALUES ('${id}', '{"a":1}', ${now}, ${usedAt}, ${expiresAt})`,
      );
    await insert('untried', now, now + DAY);
    await insert('granted', now + HOUR, now + HOUR + 90 * DAY);
    await dataSource.runMigrations();
    const rows = await dataSource.query(
      'SELECT id, granted_at, stored_bytes, expires_at FROM oauth_clients ORDER BY id',
    );
    expect(rows).toEqual([
      {
        id: 'granted',
        granted_at: now + HOUR,
        stored_bytes: 1031,
        expires_at: now + HOUR + 90 * DAY,
      },
      { id: 'untried', granted_at: null, stored_bytes: 1031, expires_at: now + 30 * DAY },
    ]);
  });
});
