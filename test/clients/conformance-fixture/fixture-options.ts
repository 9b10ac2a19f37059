import type { McpPromptOptions, McpResourceOptions, McpToolOptions } from '#libs/mcp';

export const SCOPE = 'conformance:use';

const about = (name: string) => ({
  name,
  title: name,
  description: `What the conformance suite expects of ${name}.`,
  scope: SCOPE,
});

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false } as const;

/** The suite defines the names, and calls most tools without arguments. */
export const tool = (
  name: string,
  inputSchema: McpToolOptions['inputSchema'] = NO_ARGUMENTS,
): McpToolOptions => ({ ...about(name), inputSchema });

export const prompt = (
  name: string,
  ...required: readonly { name: string; values?: readonly string[] }[]
): McpPromptOptions => ({
  ...about(name),
  arguments: required.map((one) => Object.assign({ description: one.name, required: true }, one)),
});

export const resource = (name: string, uri: string, mimeType: string): McpResourceOptions => ({
  ...about(name),
  uri,
  mimeType,
});

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
