import { BearerError } from '../../protected-resource/bearer.error.js';
import type { RegisteredTool } from './tool-registry.js';

type Tools = ReadonlyMap<string, RegisteredTool>;

/**
 * The tools that a posted message, or a batch of them, calls and may call: nothing else is to be run
 * for it. Names that no tool has are left out. `allScopes` are in the order clients see them.
 * @throws BearerError insufficient_scope with every scope the client would then need
 */
export function authorizeToolCalls(
  body: unknown,
  tools: Tools,
  granted: readonly string[],
  allScopes: readonly string[],
): Tools {
  const called = calledNames(body).flatMap((name) => tools.get(name) ?? []);
  const needed = new Set(called.map(({ options }) => options.scope));
  const missing = [...needed].filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return new Map(called.map((tool) => [tool.options.name, tool]));
  const scopes = allScopes.filter((scope) => granted.includes(scope) || missing.includes(scope));
  throw new BearerError('insufficient_scope', `this call needs ${missing.join(' ')}`, scopes);
}

function calledNames(body: unknown): string[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const name = method === 'tools/call' ? params?.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
