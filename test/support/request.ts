import { Agent } from 'node:http';
import type { SuperAgentRequest } from 'superagent';
import supertest, { type Response } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import type { Service as Gatehouse } from './service.js';
import type { Answer } from './http.js';

const connections = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * supertest, bound to the service under test at its own origin: `await requestTo(gatehouse).get('/').expect(404)`.
 * supertest normalises URLs, parses JSON and follows no redirects here; use `call` or `exchange` for a request that
 * has to arrive byte by byte.
 */
export function requestTo({ port, origin }: Pick<Gatehouse, 'port' | 'origin'>): TestAgent {
  return supertest
    .agent(`http://127.0.0.1:${port}`)
    .set('host', new URL(origin).host)
    .use((request: SuperAgentRequest) => void request.agent(connections));
}

/** An answer of supertest in the form that `call` returns. */
export const answerOf = ({ status, headers, text = '' }: Response): Answer => ({
  status,
  headers,
  text,
  json: <T>() => JSON.parse(text) as T,
});
