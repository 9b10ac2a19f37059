import { inputRequired } from '../question.js';
import { type FromSchema, McpTool, type ObjectSchema, ToolMark } from '../tool.js';

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
    expect(Reflect.getMetadata(ToolMark.KEY, Tools.prototype.greet)).toEqual(options);
  });
});
