import { Browser, type Gatehouse, OAuthClient, startGatehouse } from 'gatehouse/testing';
import { extension } from '../src/acme.extension.js';

const ELSEWHERE = { redirect_uris: ['https://elsewhere.example/cb'] };

describe('apps of elsewhere', () => {
  let gatehouse: Gatehouse;
  let partners: Pick<Gatehouse, 'port' | 'origin'>;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [extension] });
    const { port } = gatehouse;
    partners = { port, origin: `http://partners.localhost:${port}` };
  });
  afterAll(() => gatehouse.stop());

  it('do not register', async () => {
    await expect(OAuthClient.register(gatehouse, ELSEWHERE)).rejects.toThrow('acme.example only');
  });

  it('are connected at the address for partners, and there alone', async () => {
    const app = await OAuthClient.register(partners, ELSEWHERE);
    const browser = new Browser(partners);
    await browser.signUp('Ann');
    expect((await browser.get(app.authorizePath())).text).toContain('value="approve"');
    const refused = await new Browser(gatehouse).get(app.authorizePath());
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('acme.example only'),
    ]);
  });
});
