import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const query = (count: number) => `?${'p=1&'.repeat(count)}`;

describe('a query of more than 64 parameters (contract: Paths)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  const statusOf = async (method: string, path: string, count: number) =>
    (await browser.send(method, `${path}${query(count)}`)).status;

  it.each([
    ['GET', '/svc/auth/me', 200],
    ['POST', '/svc/auth/login/options', 200],
    ['GET', '/svc/me/apps', 200],
    ['GET', '/svc/me/tabs', 426],
    ['GET', '/.well-known/oauth-authorization-server', 200],
    ['GET', '/.well-known/oauth-protected-resource/svc/mcp', 200],
    ['POST', '/svc/mcp', 401],
    ['GET', '/svc/auth/unknown', 404],
    ['GET', '/', 302],
    ['GET', '/unknown', 404],
  ])('is 400: %s %s', async (method, path, otherwise) => {
    expect(await statusOf(method, path, 65)).toBe(400);
    expect(await statusOf(method, path, 64)).toBe(otherwise);
  });

  it('is refused in the words of each area, and repeated by none', async () => {
    const error = expect.stringContaining('too many parameters');
    const said = async (method: string, path: string) => {
      const { status, text, headers } = await browser.send(method, `${path}${query(65)}`);
      expect([status, text.includes('p=1')]).toEqual([400, false]);
      return headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text;
    };
    expect(await said('GET', '/svc/auth/me')).toEqual({ error });
    expect(await said('GET', '/svc/oauth/authorize')).toEqual(error);
    for (const path of ['/svc/oauth/token', '/svc/oauth/register', '/svc/mcp']) {
      const told = { error: 'invalid_request', error_description: error };
      expect([path, await said('POST', path)]).toEqual([path, told]);
    }
  });

  it('uses nothing up', async () => {
    const client = await OAuthClient.register(gatehouse);
    const handle = await client.showConsent(browser);
    const form = new URLSearchParams({ handle, decision: 'approve', scope: 'account:read' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const authorize = '/svc/oauth/authorize';
    const refused = await browser.post(`${authorize}${query(65)}`, String(form), headers);
    const approved = await browser.post(authorize, String(form), headers);
    expect([refused.status, approved.status]).toEqual([400, 302]);
  });
});
