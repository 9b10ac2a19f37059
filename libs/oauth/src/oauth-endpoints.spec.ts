import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { countBodyMemory } from '#libs/accounts';
import { HeldBytes } from '#libs/platform';
import { readOAuthForm } from './oauth-endpoints.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A posted form, with a limit in bytes for all bodies that are being received. */
function posted(form: string, bytes: number, headers: object = FORM): Request {
  const body = Object.assign(new PassThrough(), { headers, ips: [] }) as unknown as Request;
  const bodies = new HeldBytes({ perHolder: bytes, inAll: bytes });
  countBodyMemory(bodies)(body, {} as Response, () => undefined);
  (body as unknown as PassThrough).end(form);
  return body;
}

describe('a form of the OAuth endpoints', () => {
  it('is read', async () => {
    const form = await readOAuthForm(posted('grant_type=x&code=1', 100));
    expect(Object.fromEntries(form)).toEqual({ grant_type: 'x', code: '1' });
  });

  it('has up to 64 parameters; what stands between two & and is empty counts for none', async () => {
    const form = await readOAuthForm(posted(`&&${'resource=a&'.repeat(64)}&`, 1_000));
    expect(form.size).toBe(64);
  });

  it.each([
    ['400 | it has 65 parameters', posted('resource=a&'.repeat(65), 1_000), 400],
    ['400 | it is no form', posted('{}', 100, { 'content-type': 'application/json' }), 400],
    ['413 | it is too large', posted('x'.repeat(16_385), 20_000), 413],
  ])('%s: invalid_request', async (_what, request, status) => {
    await expect(readOAuthForm(request)).rejects.toMatchObject({
      name: 'OAuthError',
      status,
      error: 'invalid_request',
    });
  });

  it('503 | too much is on its way: says nothing of the request, and when to come again', async () => {
    await expect(readOAuthForm(posted('grant_type=x', 5))).rejects.toMatchObject({
      name: 'RefusalError',
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  });
});
