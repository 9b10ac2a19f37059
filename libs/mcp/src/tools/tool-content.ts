import { type ContentBlock, specTypeSchemas } from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/platform';

export type { ContentBlock };

/** A tool result in blocks: text, images, audio, links to resources, resources. */
export interface ToolContent {
  readonly content: readonly ContentBlock[];
  /** The structured result for programs, beside the blocks. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** Whether a value has the members of {@link ToolContent} and no others; does not check the blocks. */
export function isToolContent(value: unknown): value is ToolContent {
  if (!isJsonObject(value)) return false;
  const { content, structuredContent, ...others } = value;
  if (!Array.isArray(content) || Object.keys(others).length > 0) return false;
  return structuredContent === undefined || isJsonObject(structuredContent);
}

/** Names the first block that is no content block of MCP; undefined when all are. */
export function contentProblem(blocks: readonly unknown[]): string | undefined {
  const schema = specTypeSchemas.ContentBlock['~standard'];
  const wrong = blocks.findIndex((block) => 'issues' in schema.validate(block));
  return wrong === -1 ? undefined : `content[${wrong}] is no content block of MCP`;
}
