import { type JsonObject, isJsonObject, misfitText } from '#libs/platform';
import type { ObjectSchema } from '#libs/mcp';
import type { PageTool } from '#libs/tab-hub';
import { TAB_ID } from '../tab-schema.js';
import { namesAtRoot } from './names-at-root.js';
import { visible } from './visible.js';

const OPEN_SCHEMA: JsonObject = { type: 'object' };

const TAB = {
  ...TAB_ID,
  description: 'The id of one of the tabs that offer this; left out: the one that was used last.',
};

/** Keywords with text for models. */
const WORDS = new Set(['title', 'description', '$comment']);

const shown = new WeakMap<PageTool, ObjectSchema>();

/** The schema that clients see: the page's own, plus a `tab` member where the page's schema does not define one. */
export function shownSchemaOf(tool: PageTool): ObjectSchema {
  const known = shown.get(tool);
  if (known) return known;
  const own = forClients(ownSchemaOf(tool));
  const properties = isJsonObject(own['properties']) ? own['properties'] : {};
  const more = hasTabOfOurs(tool) ? { properties: { ...properties, tab: TAB } } : {};
  const schema: ObjectSchema = { ...own, ...more, type: 'object' };
  shown.set(tool, schema);
  return schema;
}

/** Splits the arguments of a page tool into the page's arguments and the tab that is to get them. */
export function readArguments(
  tool: PageTool | undefined,
  input: unknown,
): { readonly tab?: unknown; readonly params: unknown } {
  if (!isJsonObject(input) || !Object.hasOwn(input, 'tab') || (tool && !hasTabOfOurs(tool))) {
    return { params: input };
  }
  const { tab, ...params } = input;
  return { tab, params };
}

/** What is wrong with the `tab` argument; undefined when it is valid. */
export function tabMisfit(tab: unknown): string | undefined {
  const length = typeof tab === 'string' ? [...tab].length : 0;
  if (tab === undefined || (length >= TAB_ID.minLength && length <= TAB_ID.maxLength))
    return undefined;
  return misfitText({ path: ['tab'], keyword: 'type', schema: TAB_ID });
}

/** The schema that the page's arguments have to satisfy. */
export const ownSchemaOf = ({ inputSchema }: PageTool): JsonObject => inputSchema ?? OPEN_SCHEMA;

const hasTabOfOurs = (tool: PageTool) => !namesAtRoot(ownSchemaOf(tool)).has('tab');

/** The schema without what has no meaning for clients here. */
const forClients = (schema: JsonObject) =>
  JSON.parse(JSON.stringify(schema, shownMember)) as JsonObject;

/** Drops `x-mcp-header`: clients would send arguments as headers too, which the service does not compare. */
function shownMember(name: string, value: unknown) {
  if (name === 'x-mcp-header') return undefined;
  return typeof value === 'string' && WORDS.has(name) ? visible(value) : value;
}
