import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const REGISTER = '/svc/oauth/register';
const BODY = JSON.stringify({ redirect_uris: [REDIRECT_URI] });

describe('REGISTRATION=off (contract: Client registration)', () => {
  const before = useGatehouse();
  const gatehouse = useGatehouse(() => startGatehouse({ REGISTRATION: 'off' }, before));

  it.each(['GET', 'POST', 'OPTIONS'])(
    '404 | %s /svc/oauth/register | as for a path that is not there',
    async (method) => {
      const browser = new Browser(gatehouse);
      const send = (path: string) =>
        browser.send(method, path, method === 'POST' ? BODY : undefined, {
          'content-type': 'application/json',
          origin: 'https://inspector.example',
        });
      const seen = ({ status, text, headers }: Answer) => {
        const { date, 'x-request-id': id, ...rest } = headers;
        expect([typeof date, typeof id]).toEqual(['string', 'string']);
        return { status, text, headers: rest };
      };
      const answer = await send(REGISTER);
      expect(answer.status).toBe(404);
      expect(seen(answer)).toEqual(seen(await send('/svc/oauth/registes')));
    },
  );

  it('counts for its visitor all the same', async () => {
    const strict = await startGatehouse({ REGISTRATION: 'off', RATE_LIMIT_MAX: '1' });
    try {
      const visitor = new Browser(strict);
      const statuses = [await visitor.get(REGISTER), await visitor.get(REGISTER)];
      expect(statuses.map(({ status }) => status)).toEqual([404, 429]);
    } finally {
      await strict.stop();
    }
  });

  it('is not advertised, and nothing else of the metadata changes', async () => {
    const document = '/.well-known/oauth-authorization-server';
    const [on, off] = [
      (await new Browser(before).get(document)).json(),
      (await new Browser(gatehouse).get(document)).json(),
    ];
    const { registration_endpoint: endpoint, ...others } = on;
    expect(endpoint).toBe(`${before.origin}${REGISTER}`);
    const text = JSON.stringify(others).replaceAll(before.origin, gatehouse.origin);
    expect(off).toEqual(JSON.parse(text));
  });

  it('clients that are there already go on', async () => {
    const browser = new Browser(before);
    await browser.signUp();
    const app = await OAuthClient.register(before);
    const { refresh_token: token } = await app.at(gatehouse).connect(browser.at(gatehouse));
    expect((await app.at(gatehouse).refresh(token)).status).toBe(200);
  });
});
