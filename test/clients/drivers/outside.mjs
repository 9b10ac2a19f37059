import { Memory } from './memory.mjs';

/**
 * Runs an MCP client in a process of its own, for the spec that forked it. Each `{ do: <job>, … }` is
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

  async function connect() {
    if (client) return;
    transport = new sdk.Transport(new URL(mcpUrl), { authProvider: memory, fetch: remembering });
    const connecting = sdk.newClient();
    await connecting.connect(transport);
    client = connecting;
  }

  const jobs = {
    /** Lists the tools, calls `account_status` and says how it got there. */
    async use() {
      await connect();
      const { tools } = await client.listTools();
      const account = await client.callTool({ name: 'account_status', arguments: {} });
      return {
        protocol: sdk.protocolOf(client, transport),
        tools: tools.map(({ name }) => name),
        account: account.structuredContent,
        clientId: memory.clientInformation().client_id,
        tokens: memory.tokens(),
      };
    },
    /** Calls a tool; the SDKs hold its result to its outputSchema, which listing made known. */
    async call({ name, args }) {
      await connect();
      await client.listTools();
      return client.callTool({ name, arguments: args });
    },
    async forgetTokens() {
      memory.invalidateCredentials('tokens');
    },
  };

  async function run(message) {
    const result = await jobs[message.do](message);
    // SDK 1.x asks for a stream meanwhile; answered later, that would start a second flow beside ours.
    await Promise.allSettled(requests.splice(0));
    return result;
  }

  /** As the SDKs want it: what needs the user fails, is finished with the callback and tried again. */
  async function runWithUser(message) {
    try {
      return await run(message);
    } catch (error) {
      if (!(error instanceof sdk.UnauthorizedError)) throw error;
      await sdk.finishAuth(transport, memory.callback);
      return run(message);
    }
  }

  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (!Object.hasOwn(jobs, message.do ?? '')) return;
    runWithUser(message).then(
      (result) => process.send({ result: result ?? null }),
      (error) => process.send({ failure: String(error.stack) }),
    );
  });
}
