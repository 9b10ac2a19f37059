import type { CallToolResult } from '@modelcontextprotocol/server';
import { contentProblem, isToolContent } from './tool-content.js';

const MAX_REFUSAL_LENGTH = 1_000;

/** How JSON.stringify writes half of a character, and the backslash that makes plain text of the same. */
const HALF_CHARACTER = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g;

const text = (words: string) => [{ type: 'text' as const, text: words.toWellFormed() }];

/**
 * A string as text, blocks as they are, any other object as structured result and, for clients that
 * know no such thing, as JSON text. Nothing at all counts as an empty object. Half characters, as text
 * has that was cut at some length, are replaced: clients that are strict would not take the whole answer.
 * @throws Error for a block that is none
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

/** What of an output is for programs, and has to fit the tool's outputSchema. */
export const structuredOf = (output: unknown): unknown =>
  isToolContent(output) ? output.structuredContent : output;

const wellFormedJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(HALF_CHARACTER, (found) =>
    found === '\\\\' ? found : '\ufffd',
  );

/** Told to the model, so that it can do better. */
export const refusal = (sentence: string): CallToolResult => ({
  content: text(
    sentence.length > MAX_REFUSAL_LENGTH ? `${sentence.slice(0, MAX_REFUSAL_LENGTH)}…` : sentence,
  ),
  isError: true,
});
