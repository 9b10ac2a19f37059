import { countJson, parseJson } from '#libs/platform';
import { JSON_RPC_CODES, JsonRpcError } from './json-rpc.error.js';

/** In bytes. */
export const MAX_BODY_BYTES = 512 * 1024;

/** What a JSON parser handles quickly; the library takes a hundred times as long for the same body. */
const LIMITS = { members: 10_000, elements: 100_000, levels: 100 };

const WORDS = {
  members: 'members in its objects',
  elements: 'elements in its arrays',
  levels: 'levels',
};

/**
 * Parses a posted body as JSON after counting members, elements and levels in its bytes.
 * @throws JsonRpcError when a limit is exceeded, or when the body is not JSON
 */
export function parsePosted(bytes: Uint8Array): unknown {
  const { passed } = countJson(bytes, LIMITS);
  if (passed !== undefined) {
    throw new JsonRpcError(`the body has more than ${LIMITS[passed]} ${WORDS[passed]}; send less`);
  }
  const body = parseJson(bytes);
  if (body === undefined) throw new JsonRpcError('the body is not JSON', JSON_RPC_CODES.parse);
  return body;
}
