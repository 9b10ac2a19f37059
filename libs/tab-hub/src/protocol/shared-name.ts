import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/platform';
import type { PageTool } from './page-tool.js';

/** Function names of models have 64 characters and no dots, and those of page tools begin with `page_`. */
const MAX_LENGTH = 59;

/** What apps know a tool by, after `page_`: tools of several tabs may have the same. */
export const sharedName = (name: string): string => name.replaceAll('.', '_').slice(0, MAX_LENGTH);

const digests = new WeakMap<PageTool, string>();

/** The same for tools that differ in nothing but their names. */
export function contentOf(tool: PageTool): string {
  const known = digests.get(tool);
  if (known !== undefined) return known;
  const text = canonicalJson({ ...tool, name: '' });
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  digests.set(tool, digest);
  return digest;
}

/** By the names that apps know them by; of two tools of a tab with the same name the first one. */
export const contentsOf = (tools: readonly PageTool[]): ReadonlyMap<string, string> =>
  new Map(tools.toReversed().map((tool) => [sharedName(tool.name), contentOf(tool)]));
