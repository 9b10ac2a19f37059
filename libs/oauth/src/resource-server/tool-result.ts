import type { CallToolResult } from '@modelcontextprotocol/server';

const MAX_REFUSAL_LENGTH = 1_000;

const text = (words: string) => [{ type: 'text' as const, text: words }];

/**
 * A string as text, an object as structured result and, for clients that know no such thing, as
 * JSON text. Nothing at all counts as an empty object.
 */
export function toolResult(output: unknown): CallToolResult {
  if (typeof output === 'string') return { content: text(output) };
  const json = JSON.stringify(output ?? {});
  return { content: text(json), structuredContent: JSON.parse(json) as Record<string, unknown> };
}

/** Told to the model, so that it can do better. */
export const refusal = (sentence: string): CallToolResult => ({
  content: text(
    sentence.length > MAX_REFUSAL_LENGTH ? `${sentence.slice(0, MAX_REFUSAL_LENGTH)}…` : sentence,
  ),
  isError: true,
});
