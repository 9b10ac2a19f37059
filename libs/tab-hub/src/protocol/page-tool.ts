import { hash } from 'node:crypto';
import { canonicalJson, countJson, type JsonObject } from '#libs/platform/json';
import { badMessage, FrameError, objectOf, optionalText, requiredText } from './frame-fields.js';
import { hiddenInSchema } from './hidden-text.js';

/** A tool that the page in a tab offers, as WebMCP describes it. What it says of itself is the page's word. */
export interface PageTool {
  /** 1 to 128 of `A-Za-z0-9_.-`. */
  readonly name: string;
  /** At most 200 characters. */
  readonly title?: string;
  /** 1 to 2,000 characters. */
  readonly description: string;
  /** A JSON Schema with root `object`, whose keywords are checked later, at most 8 KiB of JSON, without hidden characters but in words. */
  readonly inputSchema?: JsonObject;
  /** Of its results, as `inputSchema`. */
  readonly outputSchema?: JsonObject;
  readonly annotations?: PageToolAnnotations;
}

interface PageToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly untrustedContentHint?: boolean;
  /** What it does matters, or cannot be undone. */
  readonly consequentialHint?: boolean;
}

const MAX_TOOLS = 64;
const MAX_BYTES = 48 * 1024;
/** Of members and of elements: parsed, each takes up to 64 bytes, as often as tabs offer the list. */
const MAX_PARTS = 4_000;
const MAX_SCHEMA_BYTES = 8 * 1024;
const PARTS = { members: MAX_PARTS, elements: MAX_PARTS, levels: Infinity };
const MAX_NAME = 128;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2000;
/** Models take names of functions up to this, without dots. */
const MODELS_NAME = 64;

const ANNOTATIONS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint'] as const;

/** The tools in the data of a frame, without members that have no meaning here. @throws FrameError `bad_message` */
export function parsePageTools(data: unknown): readonly PageTool[] {
  const { tools } = objectOf(data, 'data');
  if (!Array.isArray(tools) || tools.length > MAX_TOOLS) {
    throw badMessage(`data.tools must be an array of at most ${MAX_TOOLS} tools`);
  }
  const parsed = tools.map((tool, n) => parseTool(tool, `data.tools[${n}]`));
  const names = parsed.map(({ name }) => modelsName(name));
  const second = parsed.find((_tool, n) => names.indexOf(names[n] ?? '') < n);
  if (second) {
    const rule = `once dots are _ and it is cut at ${MODELS_NAME} characters`;
    throw badMessage(`data.tools must have each name once, also ${rule}`, second.name);
  }
  const json = Buffer.from(JSON.stringify(parsed));
  if (json.length > MAX_BYTES) {
    throw badMessage(`data.tools must have at most ${MAX_BYTES} bytes of JSON`);
  }
  const { passed } = countJson(json, PARTS);
  if (passed) throw badMessage(`data.tools must have at most ${MAX_PARTS} ${passed}`);
  // As it is stored: a number beyond the range of doubles is null.
  return JSON.parse(json.toString()) as PageTool[];
}

function parseTool(value: unknown, of: string): PageTool {
  const tool = objectOf(value, of);
  const name = requiredText(tool, 'name', MAX_NAME, of);
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    throw badMessage(`${of}.name must be of A-Z, a-z, 0-9, _, . and -`);
  }
  try {
    return { name, ...parseAbout(tool, of) };
  } catch (error) {
    throw error instanceof FrameError ? badMessage(error.message, name) : error;
  }
}

function parseAbout(tool: JsonObject, of: string): Omit<PageTool, 'name'> {
  const description = requiredText(tool, 'description', MAX_DESCRIPTION, of);
  const title = optionalText(tool, 'title', MAX_TITLE, of);
  const inputSchema = parseSchema(tool['inputSchema'], `${of}.inputSchema`);
  const outputSchema = parseSchema(tool['outputSchema'], `${of}.outputSchema`);
  const annotations = parseAnnotations(tool['annotations'], `${of}.annotations`);
  return {
    ...(title === undefined ? {} : { title }),
    description,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function parseSchema(value: unknown, of: string): JsonObject | undefined {
  if (value === undefined) return undefined;
  if (bytesOf(value) > MAX_SCHEMA_BYTES) {
    throw badMessage(`${of} must have at most ${MAX_SCHEMA_BYTES} bytes of JSON`);
  }
  const schema = objectOf(value, of);
  if (schema['type'] !== 'object') {
    throw badMessage(`${of} cannot be used: its root has to be of type object`);
  }
  // Stryker disable next-line OptionalChaining: a hidden character is never an empty text.
  const hidden = hiddenInSchema(schema)
    ?.codePointAt(0)
    ?.toString(16)
    .toUpperCase()
    .padStart(4, '0');
  if (hidden !== undefined) {
    throw badMessage(`${of} has U+${hidden}, which people do not see, outside a description`);
  }
  return schema;
}

function parseAnnotations(value: unknown, of: string): PageToolAnnotations | undefined {
  if (value === undefined) return undefined;
  const given = objectOf(value, of);
  const known = ANNOTATIONS.filter((name) => Object.hasOwn(given, name));
  for (const name of known) {
    if (typeof given[name] !== 'boolean') throw badMessage(`${of}.${name} must be true or false`);
  }
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}

const digests = new WeakMap<readonly PageTool[], string>();

/** The same for equal lists. */
export function digestOf(tools: readonly PageTool[]): string {
  const digest = digests.get(tools) ?? hash('sha256', canonicalJson(tools), 'base64');
  digests.set(tools, digest);
  return digest;
}

const modelsName = (name: string) => name.replaceAll('.', '_').slice(0, MODELS_NAME);

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
