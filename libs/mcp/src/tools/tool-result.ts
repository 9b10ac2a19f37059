import type { CallToolResult } from '@modelcontextprotocol/server';
import { contentProblem, isToolContent } from './tool-content.js';

const MAX_REFUSAL_LENGTH = 1_000;

/** A lone surrogate as JSON.stringify writes it, or an escaped backslash, after which the same is plain text. */
const HALF_CHARACTER = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g;

const text = (words: string) => [{ type: 'text' as const, text: words.toWellFormed() }];

/**
 * Converts a string to text, keeps blocks as they are, and makes any other object the structured result and,
 * for clients without support for that, JSON text. No output counts as an empty object. Replaces lone
 * surrogates, which occur in truncated text, because strict clients would reject the whole answer.
 * @throws Error for a block that is not of MCP
 */
export function toolResult(output: unknown): CallToolResult {
  if (typeof output === 'string') return { content: text(output) };
  const json = wellFormedJson(output ?? {});
  const value = JSON.parse(json) as Record<string, unknown>;
  if (!isToolContent(value)) return { content: text(json), structuredContent: value };
  const problem = contentProblem(value.content);
  if (problem !== undefined) throw new Error(problem);
  return value as CallToolResult;
}

/** The structured part of an output, which has to match the tool's outputSchema. */
export const structuredOf = (output: unknown): unknown =>
  isToolContent(output) ? output.structuredContent : output;

const wellFormedJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(HALF_CHARACTER, (found) =>
    found === '\\\\' ? found : '\ufffd',
  );

/** An error result that the model reads, so that it can correct its call. */
export const refusal = (sentence: string): CallToolResult => ({
  content: text(
    sentence.length > MAX_REFUSAL_LENGTH ? `${sentence.slice(0, MAX_REFUSAL_LENGTH)}…` : sentence,
  ),
  isError: true,
});
