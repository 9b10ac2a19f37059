import { BearerError } from '../../protected-resource/bearer.error.js';
import type { CallableTool } from './tool-registry.js';

type Tools = ReadonlyMap<string, CallableTool>;

/**
 * The tools that a posted message, or a batch of them, calls by their names and may call: nothing else
 * is to be run for it. Names that no tool has are left out. `allScopes` are in the order clients see them.
 * @throws BearerError insufficient_scope with every scope the client would then need
 */
export function authorizeToolCalls(
  names: readonly string[],
  tools: Tools,
  granted: readonly string[],
  allScopes: readonly string[],
): Tools {
  const called = names.flatMap((name) => tools.get(name) ?? []);
  const needed = new Set(called.map(({ scope }) => scope));
  const missing = [...needed].filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return new Map(called.map((tool) => [tool.name, tool]));
  const scopes = allScopes.filter((scope) => granted.includes(scope) || missing.includes(scope));
  throw new BearerError('insufficient_scope', `this call needs ${missing.join(' ')}`, scopes);
}

/** The names of the tools that a posted message, or a batch of them, calls; none twice. */
export function calledNames(body: unknown): string[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const names = messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const name = method === 'tools/call' ? params?.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}
