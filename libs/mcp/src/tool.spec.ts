import type { AnyMcpCaller, McpCaller, McpMachine } from './call.js';
import { inputRequired } from './question.js';
import {
  contentProblem,
  type FromSchema,
  isToolContent,
  McpTool,
  type ObjectSchema,
  errorResult,
  structuredOf,
  ToolDecorator,
  toolResult,
} from './tool.js';

const about = { name: 'greet', title: 'Greet', description: 'Greets.', scope: 'account:read' };
const SIZE = { type: 'integer' } as const;
const INPUT = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    tone: { enum: ['warm', 'funny'] },
    sizes: { type: 'array', items: SIZE },
    when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    place: {
      type: 'object',
      properties: { city: { type: 'string' }, street: { type: 'string' } },
      required: ['city'],
    },
    anything: { type: ['object', 'boolean'] },
  },
  required: ['to', 'when'],
} as const;
const OUTPUT = {
  type: 'object',
  properties: { greeting: { type: 'string' } },
  required: ['greeting'],
} as const;
/** A schema of unknown shape, such as one that a function returns. */
const UNKNOWN: ObjectSchema = INPUT;

type Input = FromSchema<typeof INPUT>;

const options = { ...about, inputSchema: INPUT, outputSchema: OUTPUT };

class Tools {
  @McpTool(options)
  greet({ to, tone = 'warm', sizes = [], when, place, anything }: Input) {
    const texts: readonly string[] = [to, tone, when ?? 'never', place?.city ?? '', `${anything}`];
    const [size = 0]: readonly number[] = sizes;
    return { greeting: texts.join().padStart(size) };
  }

  @McpTool(options)
  async inBlocks(_input: { to: string; tone?: 'warm' | 'funny' }) {
    return { content: [{ type: 'text', text: 'x' }], structuredContent: { greeting: 'x' } };
  }

  @McpTool(options)
  asking() {
    return inputRequired({});
  }

  @McpTool({ ...about, inputSchema: UNKNOWN, outputSchema: UNKNOWN })
  unknown({ to }: { to: number }) {
    return { to };
  }

  @McpTool({ ...about, inputSchema: UNKNOWN, callers: 'machines' })
  machines(_input: unknown, { account }: McpMachine) {
    return account;
  }

  @McpTool({ ...about, inputSchema: UNKNOWN, callers: 'both' })
  both(_input: unknown, { user, app }: AnyMcpCaller) {
    return user?.id ?? app;
  }

  // @ts-expect-error -- a machine has no user
  @McpTool({ ...about, inputSchema: UNKNOWN, callers: 'both' })
  bothAsPeople(_input: unknown, { user }: McpCaller) {
    return user.id;
  }

  // @ts-expect-error -- a person is no machine
  @McpTool({ ...about, inputSchema: UNKNOWN })
  peopleAsMachines(_input: unknown, { account }: McpMachine) {
    return account;
  }

  // @ts-expect-error -- `to` is a string
  @McpTool(options)
  otherArguments(_input: { to: number }) {
    return { greeting: '' };
  }

  // @ts-expect-error -- `tone` may be missing
  @McpTool(options)
  missingArgument(_input: { tone: 'warm' | 'funny' }) {
    return { greeting: '' };
  }

  // @ts-expect-error -- `greeting` is a string
  @McpTool(options)
  otherResult() {
    return { greeting: 7 };
  }

  // @ts-expect-error -- a string is no structured result
  @McpTool(options)
  text() {
    return 'hello';
  }
}

describe('a tool', () => {
  it('is typed by its schemas, which are found at its method', () => {
    expect(Reflect.getMetadata(ToolDecorator.KEY, Tools.prototype.greet)).toEqual(options);
  });
});

const BLOCKS = [
  { type: 'text', text: 'hello' },
  { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'https://acme.example/a', name: 'a' },
  { type: 'resource', resource: { uri: 'https://acme.example/a', text: 'hello' } },
];

describe('blocks of content', () => {
  it.each(BLOCKS.map((block) => [block.type, block]))('go through: %s', (_type, block) => {
    expect(toolResult({ content: [block] })).toEqual({ content: [block] });
  });

  it('go with a structured result', () => {
    const output = { content: BLOCKS, structuredContent: { a: 1 } };
    expect(toolResult(output)).toEqual(output);
    expect(structuredOf(output)).toEqual({ a: 1 });
    expect(structuredOf({ content: BLOCKS })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['of no type', { text: 'hello' }],
    ['of another type', { type: 'video', data: '', mimeType: 'video/mp4' }],
    ['with data that is no Base64', { type: 'image', data: '!', mimeType: 'image/png' }],
    ['without its data', { type: 'audio', mimeType: 'audio/wav' }],
    ['that needs a URI', { type: 'resource_link', name: 'a' }],
    ['a call of a tool', { type: 'tool_use', id: '1', name: 'a', input: {} }],
    ['with something that JSON has no word for', { type: 'text', text: undefined }],
  ])('are refused: one %s', (_what, block) => {
    expect(contentProblem([BLOCKS[0], block])).toBe('content[1] is no content block of MCP');
    expect(() => toolResult({ content: [BLOCKS[0], block] })).toThrow('content[1]');
  });

  it.each([
    [{ content: 'text' }],
    [{ content: BLOCKS, more: 1 }],
    [{ content: BLOCKS, structuredContent: [] }],
    [{ content: BLOCKS, structuredContent: null }],
    [[BLOCKS]],
    [null],
    ['content'],
  ])('are not seen in %j', (output) => {
    expect(isToolContent(output)).toBe(false);
    expect(structuredOf(output)).toBe(output);
  });

  it('have no half characters', () => {
    const half = { content: [{ type: 'text', text: 'cut \ud83d' }] };
    expect(toolResult(half)).toEqual({ content: [{ type: 'text', text: 'cut \ufffd' }] });
  });
});

const HALF = '\ud83d';

describe('the result of a tool', () => {
  it.each([
    [{ title: `cut ${HALF}` }, { title: 'cut \ufffd' }],
    [{ [HALF]: [`\udc00${HALF}x`] }, { '\ufffd': ['\ufffd\ufffdx'] }],
    [
      { path: 'C:\\ud83d', more: `\\${HALF}` },
      { path: 'C:\\ud83d', more: '\\\ufffd' },
    ],
    [{ whole: '😀 é \\' }, { whole: '😀 é \\' }],
    [undefined, {}],
  ])('has no half characters: %j', (output, expected) => {
    const { content, structuredContent } = toolResult(output);
    expect(structuredContent).toEqual(expected);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(expected) }]);
  });

  it('has none in plain text and refusals either, wherever these are cut', () => {
    const cut = errorResult(`${'x'.repeat(999)}😀`);
    expect(cut.content).toEqual([{ type: 'text', text: `${'x'.repeat(999)}\ufffd…` }]);
    expect(toolResult(HALF).content).toEqual([{ type: 'text', text: '\ufffd' }]);
  });
});
