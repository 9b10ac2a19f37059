import {
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  ProtocolErrorCode,
  type SpecTypeName,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/platform';

/** The first thing that is wrong with a message, as a sentence that names the member and what it takes. */
export interface MessageProblem {
  readonly code: number;
  readonly sentence: string;
}

/** What is wrong with the envelope of a message, or of the first such message of a batch (JSON-RPC 2.0 §4). */
export function envelopeProblem(body: unknown): MessageProblem | undefined {
  if (Array.isArray(body)) {
    if (body.length === 0) return invalidRequest('a batch has at least one message');
    return body.map(problemOfOne).find((problem) => problem !== undefined);
  }
  return problemOfOne(body);
}

function problemOfOne(message: unknown): MessageProblem | undefined {
  if (!isJsonObject(message)) return invalidRequest('a message is an object');
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') return invalidRequest('jsonrpc takes "2.0"');
  if ('method' in message === ('result' in message || 'error' in message)) {
    return invalidRequest('a message has a method, or else a result or an error');
  }
  if ('id' in message && typeof id !== 'string' && !Number.isInteger(id)) {
    return invalidRequest('id takes a string or an integer');
  }
  if (!('method' in message)) return undefined;
  if (typeof method !== 'string') return invalidRequest('method takes a string');
  const sentence = isJsonObject(params ?? {})
    ? paramsProblem(method, params)
    : 'params takes an object';
  return sentence === undefined ? undefined : { code: ProtocolErrorCode.InvalidParams, sentence };
}

const invalidRequest = (sentence: string): MessageProblem => ({
  code: ProtocolErrorCode.InvalidRequest,
  sentence,
});

/** The library's schema of the parameters of each method that has one; those of lists fit all others. */
const SCHEMAS: ReadonlyMap<string, SpecTypeName> = new Map([
  ['initialize', 'InitializeRequestParams'],
  ['tools/call', 'CallToolRequestParams'],
  ['resources/read', 'ReadResourceRequestParams'],
  ['prompts/get', 'GetPromptRequestParams'],
  ['completion/complete', 'CompleteRequestParams'],
  ['subscriptions/listen', 'SubscriptionsListenRequestParams'],
]);

/** The library's error for parameters, which is a list of all that is wrong, as a sentence about the first. */
export function inOneSentence(
  answer: JSONRPCResultResponse | JSONRPCErrorResponse,
  { method, params }: JSONRPCRequest,
): JSONRPCResultResponse | JSONRPCErrorResponse {
  if (!('error' in answer)) return answer;
  const { code } = answer.error;
  const isAboutParams = code === ProtocolErrorCode.InvalidParams;
  if (!isAboutParams && code !== ProtocolErrorCode.InternalError) return answer;
  const problem = paramsProblem(method, params);
  // The library has a sentence of its own for what is not a matter of types, such as an expired state.
  if (problem === undefined && isAboutParams) return answer;
  const sentence = problem ?? `the params do not fit ${method}`;
  return { ...answer, error: { code: ProtocolErrorCode.InvalidParams, message: sentence } };
}

function paramsProblem(method: string, params: unknown): string | undefined {
  const schema = specTypeSchemas[SCHEMAS.get(method) ?? 'PaginatedRequestParams'];
  const { issues } = schema['~standard'].validate(params ?? {}) as { issues?: readonly Issue[] };
  return issues?.[0] && sentenceOf(issues[0]);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly errors?: readonly (readonly Issue[])[];
}

const sentenceOf = (issue: Issue): string => {
  const member = ['params', ...issue.path].join('.');
  const taken = [...new Set(takenBy(issue))];
  return taken.length > 0 ? `${member} takes ${taken.join(' or ')}` : `${member} does not fit`;
};

function takenBy({ expected, values, errors }: Issue): readonly string[] {
  if (values) return values.map((value) => JSON.stringify(value));
  if (expected !== undefined) return [KINDS.get(expected) ?? `a value of type ${expected}`];
  return (errors ?? []).flatMap(([first]) =>
    first && first.path.length === 0 ? takenBy(first) : [],
  );
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'an integer'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'an array'],
]);
