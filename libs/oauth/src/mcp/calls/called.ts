import { isJsonObject } from '#libs/json';

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
