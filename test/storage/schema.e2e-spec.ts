import { DataSource } from 'typeorm';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

describe('schema', () => {
  const gatehouse = useGatehouse();
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = gatehouse.app.get(DataSource);
  });

  it('the migrations lead to exactly what the entities say', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const queries = upQueries.map(({ query }) => query);
    // Nest's TypeOrmModule keeps the entities of an extension that another spec file in this worker loaded.
    expect(queries.filter((query) => !query.includes('"acme_'))).toEqual([]);
  });

  it('starting again on it runs no migration twice', async () => {
    const count = async () => (await dataSource.query('SELECT name FROM migrations')).length;
    const before = await count();
    const again = await startGatehouse({}, gatehouse);
    await again.stop();
    expect(await count()).toBe(before);
  });
});
