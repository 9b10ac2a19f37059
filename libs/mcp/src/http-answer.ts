import { ProtocolErrorCode, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { McpAnswer } from './mcp-exchange.js';
import type { PostedMessages } from './posted-messages.js';
import { shortError } from './short-errors.js';

/** A response that is written in one piece. */
export interface HttpAnswer {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

/** The response to notifications and responses without any request. */
const NOTED: HttpAnswer = { status: 202, text: '' };

/** The HTTP response to posted messages whose requests the library has all answered. */
export function httpAnswer(
  { era, requests, isBatch }: PostedMessages,
  answers: readonly McpAnswer[],
): HttpAnswer {
  const [first] = answers;
  if (!first) return NOTED;
  if (isBatch) return json(200, answers.map(withShortError));
  if (era === 'legacy') return json(200, withShortError(first));
  if ('error' in first) {
    return json(STATUS.get(first.error.code) ?? 200, withShortError(first));
  }
  return requests[0]?.message.method === 'subscriptions/listen'
    ? subscription(first)
    : json(200, first);
}

/** Error codes that also set the HTTP status (MCP 2026-07-28, Streamable HTTP). */
const STATUS: ReadonlyMap<number, number> = new Map([
  [ProtocolErrorCode.MethodNotFound, 404],
  [ProtocolErrorCode.MissingRequiredClientCapability, 400],
]);

const json = (status: number, value: unknown): HttpAnswer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(value),
});

/** One answer as JSON, for the data of an event. */
export const jsonOf = (answer: McpAnswer): string => JSON.stringify(withShortError(answer));

const withShortError = (answer: McpAnswer) =>
  'error' in answer ? { ...answer, error: shortError(answer.error) } : answer;

/** The stream of a subscription to nothing: it begins and ends at once. */
function subscription(answer: Extract<McpAnswer, { result: unknown }>): HttpAnswer {
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: {}, _meta: { [SUBSCRIPTION_ID_META_KEY]: answer.id } },
  };
  const text = [acknowledged, answer]
    .map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`)
    .join('');
  return { status: 200, type: 'text/event-stream', text };
}
