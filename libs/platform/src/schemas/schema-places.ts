import type { JsonObject } from '../json.js';
import { memberOf } from './json-schema.js';

/** Resolves references within a schema: by a JSON pointer (RFC 6901 §6) or by an anchor. */
export function placesIn(root: JsonObject): (reference: string) => unknown {
  const anchors = new Map<string, unknown>();
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    rest.push(...Object.values(next));
    const anchor = memberOf(next, '$anchor');
    if (typeof anchor === 'string') anchors.set(anchor, next);
  }
  return (reference) => {
    if (!reference.startsWith('#')) return undefined;
    const fragment = decoded(reference.slice(1));
    if (anchors.has(fragment)) return anchors.get(fragment);
    return fragment
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((inner: unknown, step) => memberOf(inner, step), root);
  };
}

function decoded(step: string) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
