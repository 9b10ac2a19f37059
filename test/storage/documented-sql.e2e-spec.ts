import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { useGatehouse } from '../support/gatehouse.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = ['docs/guides/operating.md', 'docs/reference/storage.md'].map(read).join('\n');

/** SQL in blocks and in running text, without statements that the reader has to complete. */
const statements = [
  ...[...text.matchAll(/^```sql\n([^]*?)^```$/gm)].map(([, block = '']) => block),
  ...[...text.matchAll(/`((?:DELETE FROM|UPDATE) [^`…]+)`/g)].map(([, inline = '']) => inline),
];
/** All indexes that docs/guides/upgrading.md has operators make in advance. */
const concurrent =
  read('docs/guides/upgrading.md').match(/^CREATE INDEX CONCURRENTLY .+;$/gm) ?? [];

const [, backUp = ''] = /^sqlite3 \S+ "(VACUUM .+)"$/m.exec(text) ?? [];

describe('SQL that docs/guides/operating.md and docs/reference/storage.md tell operators to run', () => {
  const gatehouse = useGatehouse();

  const ofPostgres = globalThis.STORAGE === 'postgres' ? it.each : it.skip.each;

  ofPostgres(statements)('runs on Postgres: %s', async (statement) => {
    const { manager } = gatehouse.app.get(DataSource);
    await expect(manager.query(statement)).resolves.toBeDefined();
  });

  ofPostgres([[concurrent]])('makes the indexes that migrations would make', async (indexes) => {
    const { manager } = gatehouse.app.get(DataSource);
    const count = () => manager.query('SELECT count(*) AS n FROM pg_indexes');
    const before = await count();
    expect(indexes).toHaveLength(9);
    for (const index of indexes) await manager.query(index);
    expect(await count()).toEqual(before);
  });

  (globalThis.STORAGE === 'postgres' ? it.skip : it)('makes a back-up of SQLite', async () => {
    const { manager } = gatehouse.app.get(DataSource);
    const copy = gatehouse.storage.environment.DATABASE_URL.replace(/^sqlite:/, '').concat('.copy');
    expect(backUp).toContain("'gatehouse-backup.sqlite'");
    await manager.query(backUp.replace('gatehouse-backup.sqlite', copy));
    const restored = await new DataSource({ type: 'sqlite', database: copy }).initialize();
    expect(await restored.query('SELECT count(*) AS n FROM users')).toEqual([{ n: 0 }]);
    await restored.destroy();
  });
});
