import { Memory } from './memory.mjs';

/**
 * Runs an MCP client in a process of its own, for the spec that forked it. Each `{ do: 'use' }` is
 * answered with `{ result }` or `{ failure }`.
 */
export function serve({ mcpUrl }, sdk) {
  const memory = new Memory();
  const requests = [];
  let transport;
  let client;

  const remembering = (url, init) => {
    const answer = fetch(url, init);
    requests.push(answer);
    return answer;
  };

  async function talk() {
    if (!client) {
      transport = new sdk.Transport(new URL(mcpUrl), {
        authProvider: memory,
        fetch: remembering,
      });
      const connecting = sdk.newClient();
      await connecting.connect(transport);
      client = connecting;
    }
    const { tools } = await client.listTools();
    const account = await client.callTool({ name: 'account_status', arguments: {} });
    // SDK 1.x asks for a stream meanwhile; answered later, that would start a second flow beside ours.
    await Promise.allSettled(requests.splice(0));
    return {
      protocol: sdk.protocolOf(client, transport),
      tools: tools.map(({ name }) => name),
      account: account.structuredContent,
      clientId: memory.clientInformation().client_id,
      tokens: memory.tokens(),
    };
  }

  /** As the SDKs want it: what needs the user fails, is finished with the callback and tried again. */
  async function use() {
    try {
      return await talk();
    } catch (error) {
      if (!(error instanceof sdk.UnauthorizedError)) throw error;
      await sdk.finishAuth(transport, memory.callback);
      return talk();
    }
  }

  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message.do !== 'use') return;
    use().then(
      (result) => process.send({ result }),
      (error) => process.send({ failure: String(error.stack) }),
    );
  });
}
