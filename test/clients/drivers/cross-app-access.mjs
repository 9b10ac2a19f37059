// Connects as an app of a company would, with the provider of the SDK alone; prints what it got as JSON.
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

const { origin, idpUrl, idToken, clientId, clientSecret } = JSON.parse(process.env['SETTINGS']);

const provider = new CrossAppAccessProvider({
  assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
    const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
      idpUrl,
      audience: authorizationServerUrl,
      resource: resourceUrl,
      idToken,
      clientId: 'app-at-idp',
      clientSecret: 'secret-at-idp',
      ...(scope === undefined ? {} : { scope }),
      fetchFn,
    });
    return jwtAuthGrant;
  },
  clientId,
  clientSecret,
  expectedIssuer: origin,
});
const client = new Client(
  { name: 'enterprise', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
const url = new URL('/svc/mcp', origin);
await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
const { extensions } = client.getServerCapabilities();
const { structuredContent } = await client.callTool({ name: 'account_status', arguments: {} });
const tokens = Object.keys(await provider.tokens());
await client.close();
process.stdout.write(JSON.stringify({ extensions, account: structuredContent, tokens }));
