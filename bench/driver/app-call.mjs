// Requests of an app to an MCP endpoint.
export const mcpRequest = (method, params, token) => ({
  method: 'POST',
  path: '/svc/mcp',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});

/** Calls `account_status`; rejects when the answer is not what the tool says. */
export async function callAccountStatus(server, token) {
  const params = { name: 'account_status', arguments: {} };
  const { text } = await server.ask(mcpRequest('tools/call', params, token));
  // SDK 2.x answers clients of 2025 with an event.
  const { result } = JSON.parse(text.startsWith('event: ') ? text.split('\ndata: ')[1] : text);
  if (result?.structuredContent?.user.displayName !== 'Ann') {
    throw new Error(`not an account's status: ${JSON.stringify(result)}`);
  }
}
