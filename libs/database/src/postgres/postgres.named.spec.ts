import type { DataSource, EntityManager } from 'typeorm';
import { describeWithPostgres } from '../../../../test/support/services/describe-with.js';
import {
  postgresForTests,
  type TestPostgres,
} from '../../../../test/support/services/postgres-for-tests.js';
import { createDataSource } from '../create.data-source.js';
import { isDatabaseOutage } from '../database-outage.js';
import { noteSchema, writeNote } from '../data-source.contract.js';
import { PreparedStatement } from '../prepared-statement.sql.js';

const FIND = new PreparedStatement('find-note', 'SELECT edits FROM note WHERE text = $1');

describeWithPostgres('a prepared statement, when another replica has changed the schema', () => {
  let database: TestPostgres;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await postgresForTests();
    dataSource = createDataSource({ type: 'postgres', url: database.url }, noteSchema);
    await dataSource.initialize();
    await dataSource.runMigrations();
    await writeNote(dataSource, 'a');
    await together();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.dispose();
  });

  const edits = async (on: DataSource | EntityManager) => (await FIND.run(on, ['a'])).rows;

  /** On several connections of the pool. */
  const together = () => Promise.all(Array.from({ length: 8 }, () => edits(dataSource)));

  const widen = () => dataSource.query('ALTER TABLE note ALTER COLUMN edits TYPE bigint');

  it('gives the new rows, on whatever connection', async () => {
    await widen();
    expect(new Set((await together()).flat().map((row) => row['edits']))).toEqual(new Set(['0']));
  });

  it('is an outage in a transaction, once a connection', async () => {
    await widen();
    const transaction = () => dataSource.transaction(edits);
    for (const _ of Array.from({ length: 10 })) {
      const failure = await transaction().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect([undefined, true]).toContain(failure && isDatabaseOutage(failure));
    }
    expect(await transaction()).toEqual([{ edits: '0' }]);
  });
});
