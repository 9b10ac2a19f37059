import supertest from 'supertest';
import type { Gatehouse } from './gatehouse.js';

/**
 * supertest, bound to the service under test at its own origin: `await requestTo(gatehouse).get('/').expect(404)`.
 * Addresses are brought into the form of the URL standard, JSON is parsed and redirects are not followed; what has
 * to arrive byte by byte goes through `call` or `exchange`.
 */
export function requestTo({ port, origin }: Pick<Gatehouse, 'port' | 'origin'>) {
  return supertest.agent(`http://127.0.0.1:${port}`).set('host', new URL(origin).host);
}
