import type { ServerResponse } from 'node:http';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import type { Answer } from '../support/http.js';
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
  let isReleased: boolean;
  const hanging: ServerResponse[] = [];

  beforeAll(async () => {
    service = await startPublishedClients({ TRUSTED_PROXIES: 'loopback' }, 2);
  });
  afterAll(() => service.stop());

  const ask = (visitor: string, id: string, further: Record<string, string> = {}) =>
    new Browser(service.gatehouse).get(
      OAuthClient.published(service.gatehouse, id).authorizePath(),
      { 'x-forwarded-for': visitor, ...further },
    );
  /** Lets a visitor request documents that do not arrive before `release`, on both slow hosts. */
  const hang = (visitor: string, count: number, further: Record<string, string> = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => {
        const slow = service.otherHosts[n % 2];
        const id = slow?.answer(`/${(paths += 1)}`, (_request, response) => {
          if (isReleased) response.destroy();
          else hanging.push(response);
        });
        return ask(visitor, id ?? '', further);
      }),
    );
  const release = () => {
    isReleased = true;
    for (const response of hanging.splice(0)) response.destroy();
  };
  const connections = () => service.otherHosts.reduce((sum, host) => sum + host.connections, 0);

  /**
   * Expects that an honest visitor gets a page while pending floods hold exactly this many fetches. Pending fetches
   * are given up after 3 seconds, so a machine too slow to finish within that time tries again.
   */
  const expectRoomFor = (honest: string, held: number, flood: () => Promise<Answer[]>[]) =>
    eventually(async () => {
      isReleased = false;
      const before = connections();
      const floods = Promise.all(flood());
      try {
        await eventually(() => expect(connections()).toBeGreaterThanOrEqual(before + held));
        const page = await ask(honest, service.host.publish(`/${(paths += 1)}`, APP));
        expect([page.status, connections()]).toEqual([200, before + held]);
      } finally {
        release();
        await floods;
      }
      expect(new Set((await floods).flat().map(({ status }) => status))).toEqual(new Set([400]));
    });

  it('an honest visitor is answered while two others keep theirs hanging', () =>
    expectRoomFor('192.0.2.3', 2 * A_QUARTER, () => [
      hang('192.0.2.1', 10),
      hang('192.0.2.2', 10),
    ]));

  it('all networks of an IPv6 /48 have one share together', () =>
    expectRoomFor('2001:db8:2::1', A_QUARTER, () => [
      hang('2001:db8:1:1::1', 8),
      hang('2001:db8:1:2::1', 8),
    ]));

  it('what foreign pages ask for in passing is one share for all visitors, and not theirs', () =>
    expectRoomFor('192.0.2.4', A_QUARTER, () => [
      hang('192.0.2.4', 8, IMAGE),
      hang('192.0.2.5', 8, IMAGE),
    ]));
});
