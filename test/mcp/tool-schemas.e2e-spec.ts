import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

type Schema = Readonly<Record<string, unknown>>;

/** A schema and all of its subschemas, each with its path. */
function* schemasIn(schema: Schema, at: string): Generator<[string, Schema]> {
  yield [at, schema];
  const { properties = {}, items, anyOf = [] } = schema as Record<string, object>;
  for (const [name, each] of Object.entries(properties)) yield* schemasIn(each, `${at}.${name}`);
  for (const each of [items ?? [], anyOf].flat()) yield* schemasIn(each as Schema, `${at}[]`);
}

describe('schemas of tools (contract: Tools)', () => {
  let gatehouse: Gatehouse;
  let app: ConnectedApp;
  let tab: TabClient;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    app = await ConnectedApp.connect(gatehouse);
    tab = await TabClient.open(gatehouse, app.browser);
    tab.say('tools', { tools: [{ name: 'paint', description: 'Paints.' }] });
    await tab.settle();
  });
  afterAll(async () => {
    await tab.close();
    await gatehouse.stop();
  });

  it('say of each value what it is, and of null by a choice, as strict clients want it', async () => {
    const { result } = (await app.send('tools/list')).json<{
      result: { tools: { name: string; inputSchema: Schema; outputSchema?: Schema }[] };
    }>();
    expect(result.tools.map(({ name }) => name)).toContain('page_paint');
    const all = result.tools.flatMap(({ name, inputSchema, outputSchema = { type: 'object' } }) =>
      [...schemasIn(inputSchema, `${name} in`)].concat([...schemasIn(outputSchema, `${name} out`)]),
    );
    expect(all.length).toBeGreaterThan(30);
    const unportable = all.filter(([, { type, anyOf }]) => {
      const isNullable = Array.isArray(type) && type.length === 2 && type.includes('null');
      return isNullable || (type === undefined && anyOf === undefined);
    });
    expect(unportable).toEqual([]);
  });
});
