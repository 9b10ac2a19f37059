import { type Attributes, inSpan } from '#libs/platform';
import type { Callable } from './mcp-feature.js';

type Called = Pick<Callable, 'method' | 'label' | 'name'>;

interface Attempt {
  readonly outcome: string;
  readonly answer: () => unknown;
}

/**
 * Records a call in a span by the application's name for it (MCP and GenAI semantic conventions) and its outcome. The
 * span has no arguments and no result, nor ids and URIs that a client chose.
 */
export const recordCall = <T extends Attempt>(called: Called, work: () => Promise<T>): Promise<T> =>
  inSpan(
    () => ({ name: nameOf(called), kind: 'server', attributes: attributesOf(called) }),
    async (span) => {
      const attempt = await work();
      span?.set({ 'gatehouse.outcome': attempt.outcome });
      span?.end(errorTypeOf(attempt));
      return attempt;
    },
  );

/** Leaves out the name of a resource, since there may be any number of them. */
const nameOf = ({ method, label, name }: Called) =>
  ({
    'tools/call': `${method} ${label}`,
    'prompts/get': `${method} ${name}`,
    'resources/read': method,
  })[method];

function attributesOf({ method, label, name }: Called): Attributes {
  const common = {
    'mcp.method.name': method,
    'network.transport': 'tcp',
    'gatehouse.called': label,
  };
  if (method === 'prompts/get') return { ...common, 'gen_ai.prompt.name': name };
  if (method === 'resources/read') return common;
  return { ...common, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': label };
}

/** `error.type` of the conventions: `tool_error` for an error result, else the code of the JSON-RPC error. */
function errorTypeOf({ outcome, answer }: Attempt): string | undefined {
  if (outcome !== 'refused' && outcome !== 'failed') return undefined;
  try {
    answer();
    return 'tool_error';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
