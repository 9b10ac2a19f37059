import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
const A_QUARTER = 8;
const IMAGE = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'image',
};

describe('first fetches of many visitors (contract: Client metadata documents)', () => {
  let service: PublishedClients;
  let paths = 0;

  beforeAll(async () => {
    service = await startPublishedClients({ TRUSTED_PROXIES: 'loopback' }, 2);
  });
  afterAll(() => service.stop());

  const ask = (visitor: string, id: string, further: Record<string, string> = {}) =>
    new Browser(service.gatehouse).get(
      OAuthClient.published(service.gatehouse, id).authorizePath(),
      { 'x-forwarded-for': visitor, ...further },
    );
  /** A visitor asks for so many documents that never come, on both slow hosts. */
  const hang = (visitor: string, count: number, further: Record<string, string> = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => {
        const slow = service.otherHosts[n % 2];
        return ask(visitor, slow?.answer(`/${(paths += 1)}`, () => undefined) ?? '', further);
      }),
    );
  const connections = () => service.otherHosts.reduce((sum, host) => sum + host.connections, 0);

  it('an honest one is answered at once while two others keep theirs hanging', async () => {
    let areHanging = true;
    const floods = Promise.all([hang('192.0.2.1', 10), hang('192.0.2.2', 10)]);
    void floods.then(() => (areHanging = false));
    await eventually(() => expect(connections()).toBe(2 * A_QUARTER));
    const page = await ask('192.0.2.3', service.host.publish('/honest', APP));
    expect([page.status, areHanging]).toEqual([200, true]);
    expect((await floods).flat().map(({ status }) => status)).toEqual(Array(20).fill(400));
  });

  it('all networks of an IPv6 /48 have one share together', async () => {
    const before = connections();
    const floods = Promise.all([hang('2001:db8:1:1::1', 8), hang('2001:db8:1:2::1', 8)]);
    await eventually(() => expect(connections()).toBe(before + A_QUARTER));
    const page = await ask('2001:db8:2::1', service.host.publish('/other', APP));
    expect([page.status, connections()]).toEqual([200, before + A_QUARTER]);
    await floods;
  });

  it('what foreign pages ask for in passing is one share, whoever looks at them, and not theirs', async () => {
    const before = connections();
    const floods = Promise.all([hang('192.0.2.4', 8, IMAGE), hang('192.0.2.5', 8, IMAGE)]);
    await eventually(() => expect(connections()).toBe(before + A_QUARTER));
    const page = await ask('192.0.2.4', service.host.publish('/own', APP));
    expect([page.status, connections()]).toEqual([200, before + A_QUARTER]);
    await floods;
  });
});
