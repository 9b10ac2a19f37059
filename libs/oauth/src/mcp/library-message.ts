import { isJsonObject, type JsonObject } from '#libs/json';
import { JsonRpcError } from './json-rpc.error.js';

/** More than any client says of itself and of a call, beside its arguments. */
const MAX_VALUES = 1_000;

/** What stands in the place of arguments, so that the library does not walk through them. */
interface SetAside {
  readonly input: () => JsonObject;
}

/**
 * A posted message, or a batch, as the library gets it: the library looks at each value several times,
 * and writes a sentence for each that is wrong. So it gets no arguments of tools, and of `_meta` only
 * the names that the protocol reserves: the others are for nobody here.
 * @throws JsonRpcError when what is left still holds more than 1,000 values
 */
export function forLibrary(body: unknown): unknown {
  const lean = Array.isArray(body) ? body.map(leanMessage) : leanMessage(body);
  if (holdsMoreThan(MAX_VALUES, lean)) {
    throw new JsonRpcError(`beside arguments, at most ${MAX_VALUES} values are taken; send less`);
  }
  return lean;
}

/** The arguments of a call that went through {@link forLibrary}. */
export function argumentsOf(params: { readonly arguments?: unknown }): unknown {
  const { input } = (params.arguments ?? {}) as Partial<SetAside>;
  return input?.() ?? {};
}

function leanMessage(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return message;
  const { _meta: meta, arguments: input } = message['params'];
  const params: Record<string, unknown> = { ...message['params'] };
  if (isJsonObject(meta)) params['_meta'] = reservedOf(meta);
  if (message['method'] === 'tools/call' && isJsonObject(input)) {
    params['arguments'] = { input: () => input } satisfies SetAside;
  }
  return { ...message, params };
}

const reservedOf = (meta: JsonObject) =>
  Object.fromEntries(
    Object.entries(meta).filter(
      ([name]) => name === 'progressToken' || name.startsWith('io.modelcontextprotocol/'),
    ),
  );

function holdsMoreThan(most: number, value: unknown): boolean {
  let left = most;
  const isOver = (outer: unknown): boolean =>
    typeof outer === 'object' &&
    outer !== null &&
    Object.values(outer).some((inner) => {
      left -= 1;
      return left < 0 || isOver(inner);
    });
  return isOver(value);
}
