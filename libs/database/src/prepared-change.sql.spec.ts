import { DataSource } from 'typeorm';
import { sqliteForTests } from '../../../test/support/services/storage-for-tests.js';
import { noteSchema, notesIn, writeNote } from './data-source.contract.js';
import { PreparedChange } from './prepared-change.sql.js';
import { SqliteDataSource } from './sqlite/sqlite.data-source.js';

const WRITE_TWO = new PreparedChange('write-two-notes', {
  first: 'INSERT INTO note (text) VALUES ($1)',
  others: [() => 'INSERT INTO note (text) VALUES ($2)'],
});

describe('changes that take effect together on SQLite', () => {
  let dataSource: DataSource;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const { path, ...file } = await sqliteForTests();
    dispose = file.dispose;
    dataSource = await new SqliteDataSource({ ...noteSchema, path }).initialize();
    await dataSource.runMigrations();
    await writeNote(dataSource, 'taken');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await dispose();
  });

  it.each([
    ['the data source', () => WRITE_TWO.run(dataSource, ['a', 'taken'])],
    [
      'its manager, outside any transaction',
      () => WRITE_TWO.run(dataSource.manager, ['a', 'taken']),
    ],
    [
      'the manager of a transaction',
      () => dataSource.transaction((manager) => WRITE_TWO.run(manager, ['a', 'taken'])),
    ],
  ])('leave nothing behind when one of them fails, on %s', async (_on, change) => {
    await expect(change()).rejects.toThrow('UNIQUE');
    expect(await notesIn(dataSource)).toEqual(['taken']);
  });
});
