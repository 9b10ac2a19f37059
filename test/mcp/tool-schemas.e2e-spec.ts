import { useGatehouse } from '../support/gatehouse.js';
import { startSchemaChecks } from '../support/schema-checks.js';
import { TabClient } from '../support/tab-client.js';
import { extension as acme } from '../../examples/team/src/acme.extension.js';
import { startTeamApp } from '../extending/team-app.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

type Schema = Readonly<Record<string, unknown>>;

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

async function toolsOf(app: ConnectedApp) {
  const answer = await app.send('tools/list');
  return answer.json<{ result: { tools: ListedTool[] } }>().result.tools;
}

/** A schema and all of its subschemas, each with its path. */
function* schemasIn(schema: Schema, at: string): Generator<[string, Schema]> {
  yield [at, schema];
  const { properties, patternProperties, $defs, ...others } = schema as Record<string, object>;
  const named = [properties, patternProperties, $defs].flatMap((all) => Object.entries(all ?? {}));
  for (const [name, each] of named) yield* schemasIn(each as Schema, `${at}.${name}`);
  const { items, additionalProperties, anyOf = [], allOf = [] } = others;
  for (const each of [items, additionalProperties, anyOf, allOf].flat()) {
    if (typeof each === 'object') yield* schemasIn(each as Schema, `${at}[]`);
  }
}

/** Each rule is that of a model or a client which refuses a whole list for one schema without it. */
const RULES: readonly [string, (schema: Schema) => boolean][] = [
  ['OpenAI, VS Code | an array has items', ({ type, items }) => type !== 'array' || !!items],
  ['OpenAI, Gemini | items are one schema', ({ items = {} }) => isObject(items)],
  ['Gemini | one type for a schema', ({ type }) => !Array.isArray(type)],
  [
    'OpenAI, Gemini | a type, or a choice of types',
    ({ type, anyOf, allOf, $ref }) => (type ?? anyOf ?? allOf ?? $ref) !== undefined,
  ],
  [
    'OpenAI, Gemini | no choice but anyOf, no condition',
    (schema) => ['oneOf', 'not', 'if', 'prefixItems'].every((keyword) => !(keyword in schema)),
  ],
  [
    'Anthropic | names of 1 to 64 plain characters',
    ({ properties = {} }) =>
      Object.keys(properties as object).every((name) => /^[\w.-]{1,64}$/.test(name)),
  ],
  [
    'Gemini | what is required is among the properties',
    ({ properties = {}, required = [] }) =>
      (required as string[]).every((name) => Object.hasOwn(properties as object, name)),
  ],
  [
    'OpenAI | a reference stands alone',
    (schema) => !('$ref' in schema) || Object.keys(schema).length === 1,
  ],
];

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function breachesIn(tools: readonly ListedTool[], holds: (schema: Schema) => boolean) {
  const all = tools.flatMap(({ name, inputSchema, outputSchema = { type: 'object' } }) =>
    [...schemasIn(inputSchema, `${name} in`)].concat([...schemasIn(outputSchema, `${name} out`)]),
  );
  expect(all.length).toBeGreaterThan(30);
  return all.filter(([, schema]) => !holds(schema));
}

function expectPlainRoots(tools: readonly ListedTool[]) {
  for (const { inputSchema, outputSchema = inputSchema } of tools) {
    for (const root of [inputSchema, outputSchema]) {
      expect(root['type']).toBe('object');
      expect(Object.keys(root).filter((name) => /Of$|^\$ref$/.test(name))).toEqual([]);
    }
  }
}

const object = { type: 'object' };
const text = { type: 'string' };
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** Schemas that hubs take and models refuse, by the name of their tool. */
const HOSTILE: Readonly<Record<string, object>> = {
  choice: {
    oneOf: [
      { properties: { kind: { const: 'circle' }, size: text }, required: ['kind', 'size'] },
      { properties: { kind: { const: 'square' }, size: {} }, required: ['kind'] },
    ],
    additionalProperties: false,
  },
  types: {
    properties: {
      a: { type: ['string', 'array', 'null'] },
      b: true,
      c: { type: 'array', items: false },
      d: { minLength: 1 },
      e: { enum: ['x', 1, null, []] },
      f: { type: 'array', prefixItems: [text, { type: ['string', 'object'] }] },
      g: { not: text, oneOf: [text, { required: ['deep'] }] },
      h: { ...object, additionalProperties: { type: 'array' }, patternProperties: { x: {} } },
    },
  },
  keys: {
    properties: { 'a key': text, ok: { ...object, properties: { ключ: text, ok: {} } } },
    required: ['ok'],
  },
  circle: {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        properties: { next: { $ref: '#/$defs/node', title: 'Next' }, all: { $ref: '#' } },
        allOf: [{ $ref: '#/$defs/node' }],
      },
    },
  },
  tuple: {
    $schema: DRAFT_07,
    properties: { at: { type: 'array', items: [text, {}], additionalItems: false } },
    definitions: { unused: { type: ['string', 'null'] } },
  },
  fan: {
    $ref: '#/$defs/a0',
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/a${(at + 1) % 40}` };
        return [`a${at}`, { anyOf: [next, next, { properties: { a: next } }] }];
      }),
    ),
  },
  proto: JSON.parse('{"properties":{"__proto__":{"type":["null"]},"constructor":{}}}') as object,
  needs: { properties: { 'a key': text }, required: ['a key'] },
};

const EVERYTHING = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

describe('schemas of tools (contract: Tools)', () => {
  const gatehouse = useGatehouse();
  let app: ConnectedApp;
  let tab: TabClient;

  beforeAll(async () => {
    await startSchemaChecks(gatehouse);
    app = await ConnectedApp.connect(gatehouse, EVERYTHING);
    tab = await TabClient.open(gatehouse, app.browser);
    const hostile = Object.entries(HOSTILE).map(([name, schema]) => ({
      name,
      description: name,
      inputSchema: { ...object, ...schema },
      outputSchema: { ...object, ...schema },
    }));
    const tools = [
      { name: 'paint', description: 'Paints.' },
      { name: 'wordy', description: `Paints. ${'"🎨'.repeat(600)}` },
      ...hostile,
    ];
    tab.say('tools', { tools });
    await tab.settle();
  });
  afterAll(() => tab.close());

  const listed = () => toolsOf(app);
  const listedOf = async (name: string) =>
    (await listed()).find((tool) => tool.name === `page_${name}`)?.inputSchema;

  it.each(RULES)('%s', async (_rule, holds) => {
    const tools = await listed();
    expect(tools.map(({ name }) => name)).toContain('page_paint');
    expect(breachesIn(tools, holds)).toEqual([]);
  });

  it('Anthropic | the root is an object without a choice', async () => {
    expectPlainRoots(await listed());
  });

  it('every page tool is listed but one that requires a name that models do not take', async () => {
    const names = (await listed())
      .map(({ name }) => name)
      .filter((name) => name.startsWith('page_'));
    const others = Object.keys(HOSTILE).filter((name) => name !== 'needs');
    const all = [...others, 'paint', 'wordy'];
    expect(names).toEqual(all.map((name) => `page_${name}`).toSorted());
  });

  it('what they give is listed too, but of one that requires such a name', async () => {
    const tools = (await listed()).filter(({ name }) => name.startsWith('page_'));
    const withOutput = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    const names = Object.keys(HOSTILE).filter((name) => name !== 'needs');
    expect(withOutput.map(({ name }) => name)).toEqual(
      names.map((name) => `page_${name}`).toSorted(),
    );
    const { outputSchema } = tools.find(({ name }) => name === 'page_circle') ?? {};
    expect(outputSchema).toMatchObject({ required: ['value'], $defs: expect.anything() });
  });

  it.each(['1', '2'])('SDK %s.x takes the list, and results by it', async (sdk) => {
    const client = await ToolClient.start(sdk, gatehouse, app.token);
    const { tools } = await client.ask<{ tools: ListedTool[] }>({ method: 'listTools' });
    expect(tools.map(({ name }) => name)).toContain('page_circle');
    for (const value of [{ a: null }, { content: [{ type: 'text', text: 'x' }] }]) {
      const called = client.call('page_types', { a: 'x' });
      const { id } = await tab.next<{ id: string }>('request');
      tab.frames.splice(0, tab.frames.length, ...tab.received('welcome'));
      tab.say('result', { id, ok: true, value });
      const { answer, failure } = await called;
      const structuredContent = { value: 'content' in value ? null : value };
      expect([failure, answer?.structuredContent]).toEqual([undefined, structuredContent]);
    }
    await client.stop();
  });

  it('that one is a tool of its tab, and can be called', async () => {
    const tabs = await app.have('list_tabs');
    expect(tabs).toMatchObject({
      tabs: [{ tools: expect.arrayContaining([{ name: 'needs', description: 'needs' }]) }],
    });
    const call = { tab: tab.id, method: 'needs' };
    await expect(app.refusal('call_tab', { ...call, params: {} })).resolves.toMatch('a key');
    const params = { 'a key': 'x' };
    for (const [name, given] of [
      ['call_tab', { ...call, params }],
      ['page_needs', params],
    ] as const) {
      const answer = app.have(name, given);
      const asked = await tab.next<{ id: string; method: string }>('request');
      expect(asked).toMatchObject({ method: 'needs', params });
      tab.frames.splice(0, tab.frames.length, ...tab.received('welcome'));
      tab.say('result', { id: asked.id, ok: true, value: params });
      await expect(answer).resolves.toMatchObject({ value: params });
    }
  });

  it('a page may choose at the root, and its own schema checks calls', async () => {
    await expect(listedOf('choice')).resolves.toMatchObject({
      properties: { kind: { anyOf: expect.anything() }, tab: text },
      required: ['kind'],
    });
    await expect(app.refusal('page_choice', { kind: 'circle' })).resolves.toMatch('do not fit');
    await expect(app.refusal('page_choice', { kind: 'oval' })).resolves.toMatch('do not fit');
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

it('schemas of a team are listed by the same rules (contract: Tools)', async () => {
  const team = await startTeamApp(acme);
  try {
    const app = await ConnectedApp.connect(team, [...EVERYTHING, 'acme:greet']);
    const tools = await toolsOf(app);
    expect(tools.map(({ name }) => name)).toContain('acme_order');
    for (const [rule, holds] of RULES) {
      expect({ rule, breaches: breachesIn(tools, holds) }).toEqual({ rule, breaches: [] });
    }
    expectPlainRoots(tools);
  } finally {
    await team.stop();
  }
});
