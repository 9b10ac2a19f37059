/** The JSON value in a body; undefined when it holds none, which no JSON value is. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** For a body that is not JSON; what is no message has no id (JSON-RPC 2.0 §5). */
export const parseErrorAnswer = () =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'the body is not JSON' } },
    { status: 400 },
  );
