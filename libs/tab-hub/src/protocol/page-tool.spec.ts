import * as fc from 'fast-check';
import { FrameError } from './frame-fields.js';
import { digestOf, parsePageTools } from './page-tool.js';
import { parseTabFrame } from './frames-from-tab.js';

const plain = { name: 'paint', description: 'Paints.' };

function errorOf(tools: unknown): FrameError | undefined {
  try {
    parsePageTools({ tools });
  } catch (error) {
    if (error instanceof FrameError && error.code === 'bad_message') return error;
    throw error;
  }
  return undefined;
}
const refusal = (tools: unknown) => errorOf(tools)?.message ?? 'taken';
const refused = (fields: object) => refusal([{ ...plain, ...fields }]);
const named = (name: string) => ({ ...plain, name });
const many = (length: number, inputSchema?: object) =>
  Array.from({ length }, (_, n) => ({ ...plain, name: `t${n}`, inputSchema }));

/** A schema of exactly `bytes` bytes. */
function schemaOf(bytes: number) {
  const schema = { type: 'object', description: '' };
  return { ...schema, description: 'x'.repeat(bytes - JSON.stringify(schema).length) };
}

describe('the tools of a page', () => {
  it('are read with what has a meaning, and nothing else', () => {
    const tool = {
      name: 'a.B-c_9',
      title: 'Ä'.repeat(200),
      description: 'ö'.repeat(2000),
      inputSchema: { type: 'object', properties: { colour: { type: 'string' } } },
      outputSchema: { type: 'object', required: ['painted'] },
      annotations: { readOnlyHint: true, untrustedContentHint: false, consequentialHint: true },
    };
    const more = { ...tool, execute: 1, annotations: { ...tool.annotations, sure: 'yes' } };
    expect(parseTabFrame(JSON.stringify({ event: 'tools', data: { tools: [more] } }))).toEqual({
      event: 'tools',
      data: [tool],
    });
    expect(parsePageTools({ tools: [] })).toEqual([]);
    expect(parsePageTools({ tools: [plain] })).toStrictEqual([plain]);
    const annotated = { ...plain, annotations: { untrustedContentHint: true } };
    expect(parsePageTools({ tools: [annotated] })).toStrictEqual([annotated]);
  });

  it('are what is stored of them', () => {
    const inputSchema = JSON.parse(
      '{"type":"object","default":1e999,"__proto__":{"a":-0}}',
    ) as object;
    const tools = [{ name: 'paint', description: 'Paints.', inputSchema }];
    const parsed = parsePageTools({ tools });
    expect(parsed).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(digestOf(parsed)).toBe(digestOf(JSON.parse(JSON.stringify(parsed))));
  });

  it('are 64 at most', () => {
    expect(refusal(many(64))).toBe('taken');
    expect(refusal(many(65))).toMatch('at most 64 tools');
  });

  it.each([undefined, null, {}, 'tools', [null], [[]], ['paint'], [{}]])(
    'are a list of objects, not %j',
    (tools) => {
      expect(refusal(tools)).not.toBe('taken');
    },
  );

  it('are refused with an error of frames', () => {
    expect(() => parsePageTools({})).toThrow(
      expect.objectContaining({ name: 'FrameError', code: 'bad_message' }),
    );
  });

  it.each(['', 'a b', 'ä', 'a/b', 'a\n', 'x'.repeat(129), 7, null, undefined])(
    'are not named %j',
    (name) => {
      expect(refused({ name })).toMatch('data.tools[0].name');
    },
  );

  it.each(['__proto__', 'constructor', 'run_code', 'x'.repeat(128)])('may be named %s', (name) => {
    expect(parsePageTools({ tools: [{ ...plain, name }] })).toEqual([{ ...plain, name }]);
  });

  it.each([
    ['a', 'a'],
    ['a.b', 'a_b'],
    [`${'x'.repeat(64)}1`, `${'x'.repeat(64)}2`],
    [`${'x.'.repeat(32)}1`, `${'x_'.repeat(32)}2`],
  ])('are not named alike for a model: %s and %s', (one, other) => {
    expect(refusal([{ ...plain, name: one }, many(1)[0], { ...plain, name: other }])).toMatch(
      'each name once',
    );
  });

  it('may differ at the 64th character, or in case', () => {
    const names = [`${'x'.repeat(63)}1`, `${'x'.repeat(63)}2`, 'y', 'Y'];
    expect(refusal(names.map((name) => named(name)))).toBe('taken');
  });

  it.each([
    { description: '' },
    { description: 'x'.repeat(2001) },
    { description: undefined },
    { description: 7 },
    { title: 'x'.repeat(201) },
    { title: null },
    { annotations: null },
    { annotations: [] },
    { annotations: { readOnlyHint: 'true' } },
    { annotations: { untrustedContentHint: null } },
    { annotations: { consequentialHint: 1 } },
    { inputSchema: null },
    { inputSchema: true },
    { inputSchema: [] },
    { inputSchema: {} },
    { inputSchema: { type: 'array' } },
    { inputSchema: { type: ['object', 'null'] } },
    { inputSchema: { type: 'object', properties: { 'a\u200b': {} } } },
    { outputSchema: null },
    { outputSchema: { type: 'array' } },
    { outputSchema: { type: 'object', properties: { 'a\u200b': {} } } },
  ])('are refused with %j', (fields) => {
    expect(refused(fields)).not.toBe('taken');
  });

  it.each([
    [{ annotations: 1 }, 'data.tools[1].annotations must be a JSON object'],
    [
      { annotations: { readOnlyHint: 1 } },
      'data.tools[1].annotations.readOnlyHint must be true or',
    ],
    [{ inputSchema: { type: 'text' } }, 'data.tools[1].inputSchema cannot be used: '],
    [
      { inputSchema: { type: 'object', properties: { a: { enum: ['red\u{e0041}'] } } } },
      'data.tools[1].inputSchema has U+E0041, which people do not see, outside a description',
    ],
    [
      { inputSchema: { type: 'object', properties: { 'a\u00ad': {} } } },
      'data.tools[1].inputSchema has U+00AD, which people do not see, outside a description',
    ],
    [{ outputSchema: {} }, 'data.tools[1].outputSchema cannot be used: its root has to be of type'],
    [{ name: 'paint' }, 'also once dots are _ and it is cut at 64 characters'],
  ])('are refused with the reason, which names the tool: %j', (fields, reason) => {
    const tool = { ...named('other'), ...fields };
    const error = errorOf([plain, tool]);
    expect(error?.message).toMatch(reason);
    expect(error?.tool).toBe(tool.name);
  });

  it('are refused without a name where none is to blame', () => {
    for (const tools of [many(65), [{ ...plain, name: 'a b' }], many(7, schemaOf(7_100))]) {
      expect(errorOf(tools)).toMatchObject({ code: 'bad_message', tool: undefined });
    }
  });

  it('have 48 KiB of JSON at most, to the byte', () => {
    const tools = (bytes: number) => [
      ...many(5, schemaOf(8 * 1024)),
      { ...plain, inputSchema: schemaOf(bytes) },
    ];
    const rest = 48 * 1024 - JSON.stringify(tools(100)).length + 100;
    expect(refusal(tools(rest))).toBe('taken');
    expect(refusal(tools(rest + 1))).toMatch('49152 bytes');
  });

  it('have 4,000 members and 4,000 elements at most, in all of them together', () => {
    const schema = (x: object) => ({ type: 'object', x });
    const elements = (count: number) => schema(Array(count).fill({}));
    expect(refusal(many(2, elements(1_999)))).toBe('taken');
    expect(refusal([...many(2, elements(1_999)), { ...plain, inputSchema: elements(1) }])).toMatch(
      '4000 elements',
    );
    const names = Array.from({ length: 800 }, (_, n) => [n.toString(36), 0]);
    const members = schema(Object.fromEntries(names));
    expect(refusal(many(4, members))).toBe('taken');
    expect(refusal(many(5, members))).toMatch('4000 members');
  });

  it('have schemas of 8 KiB, and of 48 KiB all together, at most', () => {
    expect(refused({ inputSchema: schemaOf(8 * 1024) })).toBe('taken');
    expect(refused({ inputSchema: schemaOf(8 * 1024 + 1) })).toMatch('8192 bytes');
    const both = { inputSchema: schemaOf(8 * 1024), outputSchema: schemaOf(8 * 1024) };
    expect(refused(both)).toBe('taken');
    expect(refused({ ...both, outputSchema: schemaOf(8 * 1024 + 1) })).toMatch('8192 bytes');
    const large = many(7, schemaOf(6_900));
    expect(refusal(large)).toBe('taken');
    const larger = many(7, schemaOf(7_100));
    expect(refusal(larger)).toMatch('49152 bytes');
    expect(refused({ title: 'ä'.repeat(200), inputSchema: schemaOf(8 * 1024) })).toBe('taken');
  });

  it('have names of members that are safe', () => {
    const inputSchema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}',
    ) as object;
    const [tool] = parsePageTools({ tools: [{ ...plain, inputSchema }] });
    expect(JSON.stringify(tool?.inputSchema)).toBe(JSON.stringify(inputSchema));
  });

  it('are looked at to the end, whatever their schemas are like', () => {
    const nested = JSON.parse(`${'{"not":'.repeat(90)}{}${'}'.repeat(90)}`) as object;
    const doubled = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const hostile = [
      { not: nested },
      { allOf: Array.from({ length: 2_000 }, () => ({})) },
      { allOf: [{ $ref: '#' }, { $ref: '#' }] },
      { $defs: { ...doubled, d60: {} }, $ref: '#/$defs/d0' },
      { properties: { a: { pattern: '(((((a+)+)+)+)+)+$' } }, default: { a: 'a'.repeat(4_000) } },
      { required: Array.from({ length: 1_000 }, (_, n) => `p${n}`) },
    ];
    for (const fields of hostile) {
      // Followed reference by reference, some of these would take longer than the test may.
      expect(typeof refusal(many(6, { type: 'object', ...fields }))).toBe('string');
    }
  });

  it('are taken or refused, whatever they are', () => {
    const fields = fc.constantFrom('name', 'title', 'description', 'inputSchema', 'annotations');
    const tool = fc.dictionary(fields, fc.oneof(fc.jsonValue(), fc.constant({ type: 'object' })));
    fc.assert(
      fc.property(fc.array(fc.oneof(tool, fc.jsonValue())), (tools) => {
        expect(typeof refusal(JSON.parse(JSON.stringify(tools)))).toBe('string');
      }),
    );
  });
});
