import { type JsonObject, isJsonObject } from '#libs/platform';
import { type ContentBlock, contentProblem } from '#libs/mcp';
import { visibleIn } from './visible.js';

/** The members that a page's content block may have, by type. `_meta` is reserved for a service and its clients. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name', 'title', 'description', 'mimeType', 'size'],
};

const MAX_BLOCKS = 64;

/** A page's answer as the result of a tool. */
export type PageResult =
  | { readonly value: unknown }
  | { readonly content: ContentBlock[]; readonly structuredContent: { readonly value: null } };

/**
 * The page's answer with invisible characters removed: as MCP content blocks where all are valid, otherwise as plain
 * JSON.
 */
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

/** Clients render a block by its declared type and may follow links: neither files nor code are allowed. */
function isHarmless(type: string, { mimeType, uri }: JsonObject): boolean {
  if (type === 'resource_link') return typeof uri === 'string' && /^https?:\/\//i.test(uri);
  return type === 'text' || (typeof mimeType === 'string' && mimeType.startsWith(`${type}/`));
}
