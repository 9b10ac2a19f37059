import { DataSource } from 'typeorm';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

describe('schema', () => {
  let gatehouse: Gatehouse;
  let dataSource: DataSource;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    dataSource = gatehouse.app.get(DataSource);
  });
  afterAll(() => gatehouse.stop());

  it('the migrations lead to exactly what the entities say', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('starting again on it runs no migration twice', async () => {
    const count = async () => (await dataSource.query('SELECT name FROM migrations')).length;
    const before = await count();
    const again = await startGatehouse({}, gatehouse);
    await again.stop();
    expect(await count()).toBe(before);
  });
});
