import { type JsonObject, isJsonObject } from '#libs/platform';
import { type ContentBlock, contentProblem } from '#libs/oauth';
import { visibleIn } from './visible.js';

/** What a block of a page may have, by its type. `_meta` is between a service and its clients. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name', 'title', 'description', 'mimeType', 'size'],
};

const MAX_BLOCKS = 64;

/** What a page answered, as the result of a tool. */
export type PageResult =
  | { readonly value: unknown }
  | { readonly content: ContentBlock[]; readonly structuredContent: { readonly value: null } };

/** What a page answered, as people see it and as the result of a tool: MCP's blocks where all of them are valid, else plain JSON. */
export function resultOf(answer: unknown): PageResult {
  const value = visibleIn(answer);
  if (!isContent(value)) return { value };
  return { content: value.content, structuredContent: { value: null } };
}

function isContent(value: unknown): value is { content: ContentBlock[] } {
  if (!isJsonObject(value) || Object.keys(value).join() !== 'content') return false;
  const { content } = value;
  if (!Array.isArray(content) || content.length === 0 || content.length > MAX_BLOCKS) return false;
  return content.every(isBlock) && contentProblem(content) === undefined;
}

function isBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false;
  const { type } = block;
  if (typeof type !== 'string' || !Object.hasOwn(MEMBERS, type)) return false;
  const members = new Set(['type', 'annotations', ...(MEMBERS[type] ?? [])]);
  return Object.keys(block).every((name) => members.has(name)) && isHarmless(type, block);
}

/** Clients show what a block says it is, and may follow a link: no file, no code. */
function isHarmless(type: string, { mimeType, uri }: JsonObject): boolean {
  if (type === 'resource_link') return typeof uri === 'string' && /^https?:\/\//i.test(uri);
  return type === 'text' || (typeof mimeType === 'string' && mimeType.startsWith(`${type}/`));
}
