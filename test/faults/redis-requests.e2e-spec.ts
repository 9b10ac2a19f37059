import { ApprovalService } from '#libs/oauth';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { answerRequest, done, newText, notes, oneRequest, refuseLater } from '../mcp/asking.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

describe('requests over two replicas (contract: Requests)', () => {
  let redis: RedisServer;
  let here: Gatehouse;
  let there: Gatehouse;
  let app: ConnectedApp;
  let text: string;

  const ran = () => done.filter((each) => each === text).length;
  const person = () => app.browser.at(there);
  const comesBack = () =>
    eventually(async () => {
      for (const replica of [here, there]) {
        const { status } = await new Browser(replica).post('/svc/auth/register/options', {
          displayName: 'Ann',
        });
        expect(status).toBe(200);
      }
    });

  beforeAll(async () => {
    redis = await startRedisServer();
    here = await startGatehouse({ REDIS_URL: redis.url }, undefined, [notes]);
    there = await startGatehouse({ REDIS_URL: redis.url }, here, [notes]);
  });
  beforeEach(async () => {
    app = await ConnectedApp.connect(here, ['account:read']);
    text = newText();
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
    await redis.stop();
  });

  it('a request is shown in tabs of the other replica, and a decision there is told to the call here', async () => {
    const tab = await TabClient.open({ port: there.port, origin: here.origin }, app.browser);
    const heard: string[] = [];
    const service = here.app.get(ApprovalService, { strict: false });
    const stop = service.onChanged((userId) => heard.push(userId));
    const call = app.have('note', { text });
    const { id } = await oneRequest(person());
    await tab.until(() => JSON.stringify(tab.received('requests').at(-1)).includes(id), 'it');
    await eventually(() => expect(heard.length).toBeGreaterThan(0));
    heard.length = 0;
    await answerRequest(person(), 'once', id);
    const { user } = await app.browser.me();
    await eventually(() => expect(heard).toContain(user?.id));
    expect(await call).toEqual({ text });
    expect(ran()).toBe(1);
    stop();
    await tab.until(
      () => JSON.stringify(tab.received('requests').at(-1)?.data['requests']) === '[]',
      'no request',
    );
    await tab.close();
  });

  it('of 20 same calls that wait at both replicas one runs, by one of 20 decisions', async () => {
    const calls = Array.from({ length: 20 }, (_, n) =>
      app.at(n % 2 ? here : there).call('note', { text }),
    );
    const { id } = await oneRequest(person());
    const decided = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.browser.at(n % 2 ? here : there).post(`/svc/me/requests/${id}`, { decision: 'once' }),
      ),
    );
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    const answers = await refuseLater(person(), Promise.all(calls));
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(ran()).toBe(1);
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
  ])('with Redis %s while it waits, a call finds its decision, and runs once', async (...how) => {
    const [, lose, restore] = how;
    const call = app.have('note', { text });
    const { id } = await oneRequest(person());
    await lose();
    try {
      await eventually(async () => answerRequest(person(), 'once', id));
      expect(await call).toEqual({ text });
      expect(ran()).toBe(1);
    } finally {
      await restore();
      await comesBack();
    }
  });
});
