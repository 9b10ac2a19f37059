import { type JsonObject, isJsonObject, misfitText } from '#libs/platform';
import type { ObjectSchema } from '#libs/oauth';
import type { PageTool } from '#libs/tab-hub';
import { TAB_ID } from '../tab-schema.js';
import { namesAtRoot } from './names-at-root.js';
import { visible } from './visible.js';

const OPEN_SCHEMA: JsonObject = { type: 'object' };

const TAB = {
  ...TAB_ID,
  description: 'The id of one of the tabs that offer this; left out: the one that was used last.',
};

/** Keywords that say something to models. */
const WORDS = new Set(['title', 'description', '$comment']);

const shown = new WeakMap<PageTool, ObjectSchema>();

/** What clients are shown: the page's own schema, and which tab to use where the page says nothing of a `tab`. */
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

/** Arguments of a page tool as it is shown, if it is: what the page gets of them, and which tab is to get it. */
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

/** What is wrong with the `tab` of arguments, or undefined. */
export function tabMisfit(tab: unknown): string | undefined {
  const length = typeof tab === 'string' ? [...tab].length : 0;
  if (tab === undefined || (length >= TAB_ID.minLength && length <= TAB_ID.maxLength))
    return undefined;
  return misfitText({ path: ['tab'], keyword: 'type', schema: TAB_ID });
}

/** What a page is to get has to fit. */
export const ownSchemaOf = ({ inputSchema }: PageTool): JsonObject => inputSchema ?? OPEN_SCHEMA;

const hasTabOfOurs = (tool: PageTool) => !namesAtRoot(ownSchemaOf(tool)).has('tab');

/** As it is, but for what is no part of its meaning here. */
const forClients = (schema: JsonObject) =>
  JSON.parse(JSON.stringify(schema, shownMember)) as JsonObject;

/** Clients would send arguments as headers too, which nobody here compares. */
function shownMember(name: string, value: unknown) {
  if (name === 'x-mcp-header') return undefined;
  return typeof value === 'string' && WORDS.has(name) ? visible(value) : value;
}
