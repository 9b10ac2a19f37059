import { fail, ok } from '../finding.js';
import { type Answer, membersOf } from './exchange.js';
import type { Step } from './step.js';
import { wrongOrigin } from './probe-errors.js';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/svc/mcp';
const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/** The documents that an MCP client reads before it requests a token. */
export const discoverySteps = (origin: string): readonly Step[] => [
  resourceMetadata(origin),
  serverMetadata(origin),
  bearerChallenge(origin),
];

const bearerChallenge = (origin: string): Step => ({
  name: 'POST /svc/mcp without a token',
  question: {
    method: 'POST',
    path: '/svc/mcp',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  },
  validate: ({ status, headers }) => {
    if (status !== 401) return notHere('POST /svc/mcp', status);
    const challenge = headers['www-authenticate'] ?? '';
    const seen = /resource_metadata="([^"]*)"/.exec(challenge)?.[1];
    const expected = `${origin}${RESOURCE_METADATA}`;
    if (seen === expected) return ok('/svc/mcp asks for a token and says where to get one');
    if (seen !== undefined) return wrongOrigin('resource_metadata in the 401', expected, seen);
    return fail(
      'the 401 of /svc/mcp has no WWW-Authenticate with resource_metadata: clients find nothing',
      'let the proxy pass the header WWW-Authenticate on',
    );
  },
});

const resourceMetadata = (origin: string): Step => ({
  name: 'protected-resource metadata',
  question: { method: 'GET', path: RESOURCE_METADATA },
  validate: (answer) => {
    if (answer.status !== 200) return notHere(RESOURCE_METADATA, answer.status);
    const { resource, authorization_servers: servers } = membersOf(answer);
    if (resource !== `${origin}/svc/mcp`) {
      return wrongOrigin('the resource', `${origin}/svc/mcp`, resource);
    }
    const [server] = Array.isArray(servers) ? (servers as unknown[]) : [];
    if (server !== origin) return wrongOrigin('the authorization server', origin, server);
    return ok(`protected-resource metadata: ${origin}/svc/mcp`);
  },
});

const serverMetadata = (origin: string): Step => ({
  name: 'authorization-server metadata',
  question: { method: 'GET', path: SERVER_METADATA },
  validate: (answer) => {
    if (answer.status !== 200) return notHere(SERVER_METADATA, answer.status);
    const { issuer, authorization_endpoint: endpoint } = membersOf(answer);
    if (issuer !== origin) return wrongOrigin('the issuer', origin, issuer);
    if (endpoint !== `${origin}/svc/oauth/authorize`) {
      return wrongOrigin('the authorization endpoint', `${origin}/svc/oauth/authorize`, endpoint);
    }
    return ok(`authorization-server metadata: the issuer is ${origin}`);
  },
});

/** The finding for a status that Gatehouse never answers on that path. */
export const notHere = (path: string, status: Answer['status']) =>
  fail(
    `${path} answers ${status}`,
    'let the proxy hand on /svc/ and /.well-known/oauth-* unchanged, and nothing of it to another service',
  );
