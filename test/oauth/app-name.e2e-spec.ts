import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const MINUTE = 60 * 1000;

describe('the name of an app (contract: Authorization page)', () => {
  const gatehouse = useGatehouse();

  itWithClock(
    'is not all that tells an app: one that registered itself says when, also signed out',
    async () => {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      const saysWhen = async (minutesAhead: number) => {
        advanceClock(minutesAhead * MINUTE);
        const before = Date.now();
        const client = await OAuthClient.register(gatehouse, { client_name: 'Twin' });
        for (const whose of [browser, new Browser(gatehouse)]) {
          const { text } = await whose.get(client.authorizePath());
          const [, said = ''] = /Registered here on ([^<]+?UTC)/.exec(text) ?? [];
          const at = Date.parse(said.replaceAll(/\s/g, ' '));
          expect(at).toBeGreaterThan(before - MINUTE);
          expect(at).toBeLessThanOrEqual(Date.now());
        }
      };
      await saysWhen(0);
      await saysWhen(40);
    },
  );

  it.each([
    ['missing', undefined, 'an MCP client'],
    ['of spaces', '   ', 'an MCP client'],
    ['too long', 'x'.repeat(100), 'x'.repeat(80)],
  ])('%s falls back or is cut, on the page and in the list', async (_what, name, shown) => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse, { client_name: name });
    expect((await browser.get(client.authorizePath())).text).toContain(shown);
    await client.connect(browser);
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { app: string }[] }>();
    expect(apps.map(({ app }) => app)).toEqual([shown]);
  });
});
