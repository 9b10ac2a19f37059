import { type JsonObject, misfitIn } from '#libs/platform';
import type { PageTool } from '#libs/tab-hub';
import { ownSchemaOf, readArguments, shownSchemaOf, tabMisfit } from './page-schema.js';

const tool = (inputSchema?: object) => ({
  name: 'paint',
  description: 'Paints.',
  ...(inputSchema && { inputSchema: inputSchema as JsonObject }),
});
const paramsMisfit = (of: PageTool, params: unknown) => misfitIn(ownSchemaOf(of), params);
const object = (rest: object) => ({ type: 'object', ...rest });
const propertiesOf = (inputSchema?: object) =>
  Object.keys(Object(shownSchemaOf(tool(inputSchema))['properties']));

describe('the input schema of a page tool', () => {
  it.each<[string, object | undefined, string[]]>([
    ['is made where the page has none', undefined, ['tab']],
    ['gains the tab', object({ properties: { colour: {} } }), ['colour', 'tab']],
    ['gains it where nothing else is taken', object({ additionalProperties: false }), ['tab']],
    ['gains it where nothing is left over', object({ unevaluatedProperties: false }), ['tab']],
    ['gains it beside a branch', object({ allOf: [{ properties: { a: {} } }] }), ['tab']],
    [
      'gains it beside a tab further in',
      object({ properties: { a: { properties: { tab: {} } } } }),
      ['a', 'tab'],
    ],
    ['gains nothing beside a tab of its own', object({ properties: { tab: {} } }), ['tab']],
    ['nor where a branch has one', object({ anyOf: [{ properties: { tab: {} } }] }), []],
    [
      'nor where a reference leads to one',
      object({ $ref: '#/$defs/a', $defs: { a: { required: ['tab'] } } }),
      [],
    ],
    [
      'keeps what is called like every object',
      object({ properties: JSON.parse('{"__proto__":{}}') as object }),
      ['__proto__', 'tab'],
    ],
  ])('%s', (_what, inputSchema, names) => {
    expect(propertiesOf(inputSchema)).toEqual(names);
    expect(shownSchemaOf(tool(inputSchema)).type).toBe('object');
  });

  it('keeps all else, but what would make headers of arguments', () => {
    const rest = { $defs: { a: {} }, required: ['a'], additionalProperties: false };
    const shown = shownSchemaOf(
      tool(object({ ...rest, properties: { a: { 'x-mcp-header': 'Evil', type: 'string' } } })),
    );
    expect(shown).toMatchObject({ type: 'object', ...rest });
    expect(shown['properties']).toMatchObject({ a: { type: 'string' } });
    expect(JSON.stringify(shown)).not.toContain('x-mcp-header');
  });
});

it('shows the words of a schema as people see them', () => {
  const hidden = `Red${String.fromCodePoint(0xe0041)}\u200b.`;
  const shown = shownSchemaOf(
    tool(object({ properties: { a: { description: hidden, const: hidden } } })),
  );
  expect(shown['properties']).toMatchObject({ a: { description: 'Red.', const: hidden } });
});

describe('the arguments of a page tool', () => {
  it('reach the page without the tab that is ours', () => {
    expect(readArguments(tool(), { tab: 't1', a: 1 })).toEqual({ tab: 't1', params: { a: 1 } });
    expect(readArguments(tool(), { a: 1 })).toEqual({ params: { a: 1 } });
  });

  it('reach it with the tab that is its own', () => {
    const own = tool(object({ properties: { tab: { type: 'integer' } } }));
    expect(readArguments(own, { tab: 4 })).toEqual({ params: { tab: 4 } });
    expect(paramsMisfit(own, { tab: 4 })).toBeUndefined();
    expect(paramsMisfit(own, { tab: 't1' })).toBe('tab takes an integer');
  });

  it('keep what is called like every object', () => {
    const input = JSON.parse('{"__proto__":{"a":1},"tab":"t1"}') as object;
    const { params } = readArguments(tool(), input);
    expect(JSON.stringify(params)).toBe('{"__proto__":{"a":1}}');
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('have a tab that is ours where the tool is not known', () => {
    expect(readArguments(undefined, { tab: 't1', a: 1 })).toEqual({ tab: 't1', params: { a: 1 } });
  });

  it('are checked without the tab that is ours, which is checked too', () => {
    const strict = tool(
      object({
        properties: { a: { type: 'string' } },
        additionalProperties: false,
        maxProperties: 1,
      }),
    );
    const misfit = (input: object) => paramsMisfit(strict, readArguments(strict, input).params);
    expect(misfit({ a: 'x', tab: 't1' })).toBeUndefined();
    expect(misfit({ a: 1, tab: 't1' })).toBe('a takes a string');
    expect(misfit({ b: 1 })).toBe('the arguments take only the properties a');
    expect(tabMisfit(7)).toBe('tab takes a string of 1 to 128 characters');
    expect(tabMisfit('t1') ?? tabMisfit(undefined)).toBeUndefined();
  });
});
