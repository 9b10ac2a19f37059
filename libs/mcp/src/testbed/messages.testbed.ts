const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** How clients of a protocol version speak. */
export interface McpEra {
  readonly name: string;
  /** What every message has in `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly headers: (method: string, tool?: string) => Record<string, string>;
  readonly message: (method: string, params?: object) => object;
}

export const legacyEra = (version: string): McpEra => ({
  name: version,
  meta: {},
  headers: () => ({ 'Mcp-Protocol-Version': version }),
  message: (method, params) => ({ jsonrpc: '2.0', id: 7, method, params }),
});

export const modernEra: McpEra = {
  name: '2026-07-28',
  meta: META,
  headers: (method, tool) => ({
    'Mcp-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(tool === undefined ? {} : { 'Mcp-Name': tool }),
  }),
  message: (method, params) => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    params: { _meta: META, ...params },
  }),
};

export const MCP_ERAS: readonly McpEra[] = [
  legacyEra('2025-06-18'),
  legacyEra('2025-11-25'),
  modernEra,
];

/** The messages of an event stream as they arrive, without comments. */
export async function* messagesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Record<string, unknown>;
    }
  }
}

/** All messages of an event stream, after it has ended. */
export async function allMessagesOf(response: Response) {
  const messages: Record<string, unknown>[] = [];
  for await (const message of messagesOf(response)) messages.push(message);
  return messages;
}
