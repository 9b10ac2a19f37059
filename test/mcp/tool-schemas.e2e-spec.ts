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
    const tools = [
      { name: 'paint', description: 'Paints.' },
      { name: 'wordy', description: `Paints. ${'"🎨'.repeat(600)}` },
    ];
    tab.say('tools', { tools });
    await tab.settle();
  });
  afterAll(async () => {
    await tab.close();
    await gatehouse.stop();
  });

  const listed = async () => {
    const { result } = (await app.send('tools/list')).json<{
      result: {
        tools: {
          name: string;
          description: string;
          inputSchema: Schema;
          outputSchema?: Schema;
        }[];
      };
    }>();
    return result.tools;
  };

  /** Each rule is that of a model or a client which refuses a whole list for one schema without it. */
  const RULES: readonly [string, (schema: Schema) => boolean][] = [
    ['OpenAI, VS Code | an array has items', ({ type, items }) => type !== 'array' || !!items],
    ['Gemini | one type for a schema', ({ type }) => !Array.isArray(type)],
    [
      'OpenAI, Gemini | a type, or a choice of types',
      ({ type, anyOf }) => type !== undefined || anyOf !== undefined,
    ],
    [
      'Anthropic | names of 1 to 64 plain characters',
      ({ properties = {} }) =>
        Object.keys(properties as object).every((name) => /^[\w.-]{1,64}$/.test(name)),
    ],
  ];

  it.each(RULES)('%s', async (_rule, holds) => {
    const tools = await listed();
    expect(tools.map(({ name }) => name)).toContain('page_paint');
    const all = tools.flatMap(({ name, inputSchema, outputSchema = { type: 'object' } }) =>
      [...schemasIn(inputSchema, `${name} in`)].concat([...schemasIn(outputSchema, `${name} out`)]),
    );
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter(([, schema]) => !holds(schema))).toEqual([]);
  });

  it('Anthropic | the root of arguments is an object without a choice', async () => {
    for (const { inputSchema } of await listed()) {
      expect(inputSchema['type']).toBe('object');
      expect(Object.keys(inputSchema)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:one|any|all)Of$/)]),
      );
    }
  });

  it('OpenAI | descriptions have at most 1,024 characters, the words of a page cut first', async () => {
    const tools = await listed();
    for (const tool of tools) expect(tool.description.length).toBeLessThanOrEqual(1_024);
    const { description: cut } = tools.find(({ name }) => name === 'page_wordy') ?? {};
    expect(cut).toMatch(/as instructions: "Paints\. .*…"$/);
    expect(cut?.length).toBeGreaterThan(1_000);
  });

  it('take any JSON all the same, arrays of arrays and of null included', async () => {
    const input = [[null, [1]], {}, 'x'];
    expect(await app.have('run_code', { code: 'input', input })).toMatchObject({ value: input });
  });
});
