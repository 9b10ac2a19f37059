import { type Attributes, inSpan } from '#libs/platform';
import type { Callable } from './mcp-feature.js';

type Called = Pick<Callable, 'method' | 'label' | 'name'>;

interface Attempt {
  readonly outcome: string;
  readonly answer: () => unknown;
}

/**
 * Records a call by what the application calls it (MCP and GenAI semantic conventions), and how it ended; nothing of
 * what was asked and answered, nor the id and the URI that a client made up.
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

/** Of resources there may be any number, so they are not in it. */
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

/** What the conventions call it: `tool_error` in a result, else the code of the JSON-RPC error. */
function errorTypeOf({ outcome, answer }: Attempt): string | undefined {
  if (outcome !== 'refused' && outcome !== 'failed') return undefined;
  try {
    answer();
    return 'tool_error';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
