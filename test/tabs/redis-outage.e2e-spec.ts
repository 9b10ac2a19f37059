import { TabsService } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type RedisServer, startRedisServer } from '../support/services/redis-server.js';
import { TabClient } from '../support/tab-client.js';

const AWAY = { code: 1013, reason: 'storage does not answer' };

(globalThis.STORAGE === 'embedded' ? describe.skip : describe)(
  'tabs with Redis gone (skipped: embedded storage has none)',
  () => {
    let redis: RedisServer;
    let gatehouse: Gatehouse;
    let ann: Browser;

    beforeAll(async () => {
      redis = await startRedisServer();
      gatehouse = await startGatehouse({ REDIS_URL: redis.url });
      ann = new Browser(gatehouse);
      await ann.signUp();
    });
    afterAll(async () => {
      await gatehouse.stop();
      await redis.stop();
    });

    it.each([
      ['frozen', () => redis.freeze(), async () => redis.thaw()],
      [
        'killed',
        () => redis.stop(),
        async () => {
          redis = await startRedisServer(redis.port);
        },
      ],
    ])('%s: they close with 1013, new ones at once, and come back', async (_how, lose, restore) => {
      const tabs = gatehouse.app.get(TabsService, { strict: false });
      const userId = (await ann.me()).user?.id ?? '';
      const tab = await TabClient.open(gatehouse, ann);
      const calling = tabs.call(userId, {
        app: 'a',
        tab: tab.id,
        method: 'm',
        params: 0,
        timeoutMs: 30_000,
      });
      const failed = expect(calling).rejects.toMatchObject({ name: 'TabGoneError' });
      await tab.next('request');
      await lose();
      expect(await tab.closed).toEqual(AWAY);
      await failed;
      const refused = TabClient.dial(gatehouse, ann);
      expect(await refused.closed).toEqual(AWAY);
      expect(refused.frames).toEqual([]);
      await expect(tabs.list(userId)).rejects.toThrow();
      await restore();
      const back = await eventually(() => TabClient.open(gatehouse, ann));
      await back.sees(back);
      expect(await tabs.list(userId)).toEqual(back.tabs);
      expect(await tabs.send(userId, { app: 'a', to: '*', body: 1 })).toBe(1);
      await back.close();
    });
  },
);
