import type { PageTool } from '../client-api.js';

/** A tool as it is announced to the hub. */
export type ToolDescription = Omit<PageTool, 'execute'>;

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2000;
const MAX_SCHEMA_BYTES = 8 * 1024;
const MAX_TOOLS = 64;
const MAX_LIST_BYTES = 48 * 1024;
/** The longest function name that models accept; dots are not allowed either. */
const MODEL_NAME_LENGTH = 64;

/** A copy of the members that the hub may know. Throws the errors of {@link registerTool}, in WebMCP's order. */
export function describe(tool: PageTool<never>): ToolDescription {
  const { name, title, description, inputSchema, annotations, execute } = tool;
  if (typeof execute !== 'function') throw new TypeError('A tool needs a function "execute".');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalid('The name of a tool has 1 to 128 of ASCII letters, digits, "_", "-" and ".".');
  }
  if (typeof description !== 'string' || description === '') {
    throw invalid(`The tool ${name} needs a description.`);
  }
  if (description.length > MAX_DESCRIPTION) {
    throw tooMuch(`The description of ${name} has more than ${MAX_DESCRIPTION} characters.`);
  }
  if (title !== undefined && String(title).length > MAX_TITLE) {
    throw tooMuch(`The title of ${name} has more than ${MAX_TITLE} characters.`);
  }
  return {
    name,
    ...(title === undefined || title === '' ? {} : { title: String(title) }),
    description,
    ...(inputSchema === undefined ? {} : { inputSchema: plainSchema(name, inputSchema) }),
    ...(annotations === undefined ? {} : { annotations: plainHints(annotations) }),
  };
}

/** Throws when the page cannot offer this tool in addition to the others. */
export function assertRoom(tool: ToolDescription, others: readonly ToolDescription[]): void {
  const same = others.find(({ name }) => modelName(name) === modelName(tool.name));
  if (same?.name === tool.name) throw invalid(`A tool ${tool.name} is registered already.`);
  if (same) throw invalid(`For a model the tool ${tool.name} has the same name as ${same.name}.`);
  if (others.length >= MAX_TOOLS) throw tooMuch(`A page offers at most ${MAX_TOOLS} tools.`);
  if (bytesOf(JSON.stringify([...others, tool])) > MAX_LIST_BYTES) {
    throw tooMuch(`All tools of a page take at most ${MAX_LIST_BYTES / 1024} KiB of JSON.`);
  }
}

export const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const modelName = (name: string) => name.replaceAll('.', '_').slice(0, MODEL_NAME_LENGTH);

/** A JSON copy, so that later changes of the page's object have no effect. */
function plainSchema(name: string, schema: object): object {
  const text = JSON.stringify(schema) as string | undefined;
  const plain = text === undefined ? undefined : (JSON.parse(text) as { type?: unknown } | null);
  if (plain?.type !== 'object' || Array.isArray(plain)) {
    throw new TypeError(`The inputSchema of ${name} has to be a JSON Schema of type "object".`);
  }
  if (bytesOf(text ?? '') > MAX_SCHEMA_BYTES) {
    throw tooMuch(`The inputSchema of ${name} takes more than ${MAX_SCHEMA_BYTES / 1024} KiB.`);
  }
  return plain;
}

const plainHints = ({
  readOnlyHint,
  untrustedContentHint,
}: NonNullable<PageTool['annotations']>) => ({
  readOnlyHint: readOnlyHint === true,
  untrustedContentHint: untrustedContentHint === true,
});

const invalid = (message: string) => new DOMException(message, 'InvalidStateError');
const tooMuch = (message: string) => new DOMException(message, 'QuotaExceededError');
