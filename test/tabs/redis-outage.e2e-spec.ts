import { ConnectedApp } from '../mcp/connected-app.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const AWAY = { code: 1013, reason: 'storage does not answer' };

(globalThis.STORAGE === 'embedded' ? describe.skip : describe)(
  'tabs with Redis gone (skipped: embedded storage has none)',
  () => {
    let redis: RedisServer;
    let gatehouse: Gatehouse;
    let app: ConnectedApp;

    beforeAll(async () => {
      redis = await startRedisServer();
      gatehouse = await startGatehouse({ REDIS_URL: redis.url });
      app = await ConnectedApp.connect(gatehouse);
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
      const ann = app.browser;
      const tab = await TabClient.open(gatehouse, ann);
      const failed = app.refusal('call_tab', { tab: tab.id, method: 'm', timeoutMs: 30_000 });
      await tab.next('request');
      await lose();
      expect(await tab.closed).toEqual(AWAY);
      expect(await failed).toContain('closed before it answered');
      const refused = TabClient.dial(gatehouse, ann);
      expect(await refused.closed).toEqual(AWAY);
      expect(refused.frames).toEqual([]);
      await expect(app.have('list_tabs')).rejects.toThrow();
      await restore();
      const back = await eventually(() => TabClient.open(gatehouse, ann));
      await back.sees(back);
      const { tabs } = (await app.have('list_tabs')) as { tabs: { id: string }[] };
      expect(tabs.map(({ id }) => id)).toEqual([back.id]);
      expect(await app.have('send_message', { body: 1 })).toEqual({ delivered: 1 });
      await back.close();
    });
  },
);
