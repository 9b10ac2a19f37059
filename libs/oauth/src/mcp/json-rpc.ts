/** For a body that is not JSON; what is no message has no id (JSON-RPC 2.0 §5). */
export const parseErrorAnswer = () =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'the body is not JSON' } },
    { status: 400 },
  );
