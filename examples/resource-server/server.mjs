import { serve } from '@hono/node-server';
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  oauthMetadataResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';

// RESOURCE is the URL of this server, as RESOURCES_FILE of Gatehouse has it; ISSUER is the origin of Gatehouse.
const { RESOURCE, ISSUER, CHECK = 'jwt', HOST = '127.0.0.1', PORT = '4000' } = process.env;
const { verifierFor } = await import(CHECK === 'jwt' ? './jwt.mjs' : './introspection.mjs');
const metadata = await fetch(`${ISSUER}/.well-known/oauth-authorization-server`);
const documents = {
  oauthMetadata: await metadata.json(),
  resourceServerUrl: new URL(RESOURCE),
  resourceName: 'Notes',
  scopesSupported: ['notes:read'],
};
const admit = requireBearerAuth({
  verifier: verifierFor(documents.oauthMetadata, RESOURCE),
  expectedResource: RESOURCE,
  requiredScopes: ['notes:read'],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(RESOURCE)),
});
const mcp = createMcpHandler(() => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('whose_notes', { description: 'Whose notes these are' }, ({ http }) => ({
    content: [{ type: 'text', text: http.authInfo.extra.userId }],
  }));
  return server;
});

async function answer(request) {
  const document = oauthMetadataResponse(request, documents);
  if (document) return document;
  const authInfo = await admit(request);
  return authInfo instanceof Response ? authInfo : mcp.fetch(request, { authInfo });
}

serve({ fetch: answer, hostname: HOST, port: Number(PORT) }, ({ port }) => {
  process.stdout.write(`listens on ${HOST} port ${port}\n`);
});
