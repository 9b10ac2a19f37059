import { type ContentBlock, specTypeSchemas } from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/platform';

export type { ContentBlock };

/** What a tool returns that says it in blocks: text, images, audio, links to resources, resources. */
export interface ToolContent {
  readonly content: readonly ContentBlock[];
  /** For programs, beside it. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Whether a value has the shape of {@link ToolContent}, its blocks unchecked: these members, and no other. */
export function isToolContent(value: unknown): value is ToolContent {
  if (!isJsonObject(value)) return false;
  const { content, structuredContent, ...others } = value;
  if (!Array.isArray(content) || Object.keys(others).length > 0) return false;
  return structuredContent === undefined || isJsonObject(structuredContent);
}

/** What is wrong with blocks, or undefined: the first one that is none of MCP's. */
export function contentProblem(blocks: readonly unknown[]): string | undefined {
  const schema = specTypeSchemas.ContentBlock['~standard'];
  const wrong = blocks.findIndex((block) => 'issues' in schema.validate(block));
  return wrong === -1 ? undefined : `content[${wrong}] is no content block of MCP`;
}
