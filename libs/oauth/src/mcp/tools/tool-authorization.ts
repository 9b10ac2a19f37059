/** The names of the tools that a posted message, or a batch of them, asks to call. */
export function calledTools(body: unknown): string[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const name = method === 'tools/call' ? params?.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
