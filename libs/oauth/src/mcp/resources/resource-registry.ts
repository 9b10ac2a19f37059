import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { MarkedMethod } from '../discovery/marked-methods.service.js';
import { registrationProblem } from '../discovery/registration.js';
import type { McpCaller } from '../tools/mcp-tool.js';
import type { ToolRun } from '../tools/tool-run.js';
import type { McpResourceOptions, UriVariables } from './mcp-resource.js';
import { parseUriTemplate, type UriTemplate } from './uri-template.js';

export interface RegisteredResource {
  readonly owner: string;
  readonly options: McpResourceOptions;
  readonly template: UriTemplate;
  readonly read: (variables: UriVariables, caller: McpCaller, run: ToolRun) => unknown;
}

const KIND = 'resource';
const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/**
 * The resources, those without variables first: their uris are nobody else's.
 * @throws Error that names the resource and what is wrong with it
 */
export function registerResources(
  found: readonly MarkedMethod<McpResourceOptions>[],
  scopes: readonly string[],
): readonly RegisteredResource[] {
  const resources: RegisteredResource[] = [];
  for (const one of found) {
    const { name, uri, mimeType } = one.options;
    const refuse = (problem: string) =>
      new Error(`MCP resource "${name}" (${one.owner}) ${problem}`);
    const namesake = resources.find(({ options }) => options.name === name);
    const problem = registrationProblem(one, KIND, namesake, scopes);
    if (problem !== undefined) throw refuse(problem);
    if (!MIME_TYPE.test(mimeType)) throw refuse(`needs a MIME type, which "${mimeType}" is not`);
    const template = templateOf(uri, refuse);
    const rival = resources.find((other) => other.template.shape === template.shape);
    if (rival) throw refuse(`has the uri of another resource, ${rival.owner}`);
    resources.push({ owner: one.owner, options: one.options, template, read: one.call });
  }
  return resources.toSorted(
    (one, other) => Number(hasVariables(one)) - Number(hasVariables(other)),
  );
}

function templateOf(uri: string, refuse: (problem: string) => Error) {
  try {
    return parseUriTemplate(uri);
  } catch (error) {
    throw refuse(`has a uri that cannot be used: ${(error as Error).message}`);
  }
}

export const hasVariables = ({ template }: RegisteredResource): boolean =>
  template.variables.length > 0;

/** How `resources/list` shows a resource. */
export const resourceShown = ({ options }: RegisteredResource): Resource => {
  const { scope: _scope, ...shown } = options;
  return shown;
};

/** How `resources/templates/list` shows one with variables. */
export const templateShown = (resource: RegisteredResource): ResourceTemplateType => {
  const { uri: uriTemplate, ...shown } = resourceShown(resource);
  return { uriTemplate, ...shown };
};
