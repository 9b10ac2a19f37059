import { isJsonObject } from '#libs/json';
import { BearerError } from '../../protected-resource/bearer.error.js';

/** What the requests of a posted message, or a batch of them, name in `field` of their parameters; nothing twice. */
export function namesIn(body: unknown, method: string, field: 'name' | 'uri'): string[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const names = messages.flatMap((message) => {
    if (!isJsonObject(message) || message['method'] !== method) return [];
    const { params } = message;
    const name = isJsonObject(params) ? params[field] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}

/**
 * That everything that is called may be. `allScopes` are in the order clients see them.
 * @throws BearerError insufficient_scope with every scope the client would then need
 */
export function requireScopes(
  called: Iterable<{ readonly scope: string }>,
  granted: readonly string[],
  allScopes: readonly string[],
): void {
  const needed = new Set(Array.from(called, ({ scope }) => scope));
  const missing = [...needed].filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  const scopes = allScopes.filter((scope) => granted.includes(scope) || missing.includes(scope));
  throw new BearerError('insufficient_scope', `this call needs ${missing.join(' ')}`, scopes);
}
