import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SecurityEventsService } from '#libs/accounts';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { CodeApp } from './code-app.js';

const FOR_EVER = 'for (;;);';
const SCREENED = 1;
/** The credits reserved for a run of 5 seconds. */
const RESERVED = 525;
const LIMIT = { BUDGET_DAILY_LIMIT: '1000000' };

/** Starts a run of 5 seconds, with a way to cancel it; `ended` never rejects. */
function begin(app: CodeApp, code = FOR_EVER) {
  const controller = new AbortController();
  const ended = app.run({ code, timeoutMs: 5_000 }, controller.signal).catch(() => 'cut off');
  return { ended, cancel: () => controller.abort() };
}

/** The costs of the calls that ended here, by account, as a team's module receives them. */
function costsAt(gatehouse: Gatehouse) {
  const costs = new Map<string, number>();
  const events = gatehouse.app.get(SecurityEventsService, { strict: false });
  events.listen(({ type, userId, spent }) => {
    if (type !== 'tool-called' || !userId) return;
    costs.set(userId, (costs.get(userId) ?? 0) + (spent?.credits ?? 0));
  });
  return costs;
}

/** Waits until no code uses the processor, where the service runs in this process. */
const untilIdle = () =>
  eventually(async () => {
    const before = process.cpuUsage();
    await sleep(100);
    expect(process.cpuUsage(before).user).toBeLessThan(50_000);
  });

const userOf = async (app: CodeApp) => (await app.browser.me()).user?.id ?? '';

const untilRuns = (app: CodeApp, runs = 1) =>
  eventually(async () => expect(await app.used()).toBeGreaterThanOrEqual(runs * RESERVED));
const untilSettled = (app: CodeApp) =>
  eventually(async () => expect(await app.used()).toBeLessThan(RESERVED));

/**
 * An account may run two at once: both places are free when two runs are admitted together. On a busy machine a run may
 * wait for a worker for too long, which says nothing of places.
 */
async function expectFreePlaces(app: CodeApp) {
  const values = await eventually(async () => {
    const runs = ['1', '2'].map((code) => app.run({ code, timeoutMs: 5_000 }));
    const two = await Promise.all(runs);
    const busy = two.find(({ refusal }) => refusal?.includes('the server is busy'));
    if (busy) throw new Error(busy.refusal);
    return two.map(({ structured, refusal }) => structured?.value ?? refusal);
  });
  expect(values).toEqual([1, 2]);
}

describe('run_code whose caller hangs up (contract: Code)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(LIMIT));
  let app: CodeApp;
  let costs: ReadonlyMap<string, number>;

  beforeAll(async () => {
    costs = costsAt(gatehouse);
  });
  beforeEach(async () => {
    app = await CodeApp.connect(gatehouse);
  });

  it.each([FOR_EVER, 'const a = [1]; a.length = 2 ** 32 - 1; a.indexOf(5)', 'for (;;) await 0'])(
    'costs what it ran, at once, and frees its place: %s',
    async (code) => {
      const begunAt = performance.now();
      const { ended, cancel } = begin(app, code);
      await untilRuns(app);
      cancel();
      expect(await ended).toBe('cut off');
      await untilSettled(app);
      const mostMs = performance.now() - begunAt;
      const used = await app.used();
      expect(used).toBeLessThanOrEqual(SCREENED + Math.ceil(mostMs / 10));
      await expectFreePlaces(app);
      expect(await app.used()).toBeLessThanOrEqual(used + 2 * (SCREENED + 100));
    },
  );

  it('that waits for its place leaves, and the next one has it', async () => {
    const going = [begin(app), begin(app)];
    await untilRuns(app, 2);
    // Four have room to wait; the one that comes last, whichever that is, is refused at once.
    const waiting = Array.from({ length: 5 }, () => begin(app));
    expect(await Promise.race(waiting.map(({ ended }) => ended))).toMatchObject({
      refusal: expect.stringContaining('2 runs') as string,
    });
    for (const { cancel } of waiting) cancel();
    await Promise.all(waiting.map(({ ended }) => ended));
    for (const { cancel } of going) cancel();
    await untilSettled(app);
    await expectFreePlaces(app);
  });

  it('is charged once and exactly, on the edge of its end too', async () => {
    const apps = await Promise.all([1, 2, 3, 4].map(() => CodeApp.connect(gatehouse)));
    const lengths = Array.from({ length: 8 }, (_, round) => round * 8);
    await Promise.all(
      apps.map(async (one) => {
        for (const ms of lengths) {
          const { ended, cancel } = begin(
            one,
            `const end = Date.now() + ${ms}; while (Date.now() < end);`,
          );
          await Promise.race([ended, sleep(30)]);
          cancel();
          await ended;
        }
      }),
    );
    for (const one of apps) {
      await untilSettled(one);
      await expectFreePlaces(one);
      const id = await userOf(one);
      await eventually(async () => expect(costs.get(id)).toBe(await one.used()));
    }
  });

  it('leaves no worker, no reservation and no place, 40 times in a row', async () => {
    for (let round = 0; round < 40; round += 1) {
      const { ended, cancel } = begin(app);
      if (round % 2 === 0) await sleep(round);
      cancel();
      await ended;
    }
    const id = await userOf(app);
    await eventually(async () => {
      await expectFreePlaces(app);
      expect(costs.get(id)).toBe(await app.used());
    });
    await untilIdle();
  });

  it('or whose client cancels it, and stays connected, costs what it ran', async () => {
    const { ended } = begin(app);
    await untilRuns(app);
    await app.cancelByNotice();
    await ended;
    await untilSettled(app);
    await expectFreePlaces(app);
  });

  it('leaves those of others as they are', async () => {
    const others = await Promise.all([1, 2].map(() => CodeApp.connect(gatehouse)));
    const whole = 'const end = Date.now() + 1000; while (Date.now() < end); "whole"';
    const { ended, cancel } = begin(app);
    const runs = others.map((one) => one.run({ code: whole, timeoutMs: 5_000 }));
    await untilRuns(app);
    cancel();
    await ended;
    for (const run of runs) expect((await run).structured?.value).toBe('whole');
  });
});

describe('run_code whose caller hangs up while it is screened (contract: Code)', () => {
  let service: Server;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    service = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const screen = `http://127.0.0.1:${port}/`;
    gatehouse = await startGatehouse({ ...LIMIT, SCREENING_WEBHOOK_URL: screen });
  });
  afterAll(async () => {
    await gatehouse.stop();
    service.closeAllConnections();
    service.close();
  });

  it('hangs up on the screening service, and costs what was screened', async () => {
    const app = await CodeApp.connect(gatehouse);
    const asked = once(service, 'request');
    const { cancel } = begin(app);
    const [{ socket }] = (await asked) as [{ socket: NodeJS.EventEmitter }];
    const hungUp = once(socket, 'close');
    cancel();
    await hungUp;
    await eventually(async () => expect(await app.used()).toBe(SCREENED));
  });
});

describe('run_code whose caller hangs up on one of two replicas (contract: Code)', () => {
  let gatehouse: Gatehouse;
  let replica: Gatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse(LIMIT);
    replica = await startGatehouse(LIMIT, gatehouse);
  });
  afterAll(async () => {
    await replica.stop();
    await gatehouse.stop();
  });

  it('frees its place on the other, which sees what it cost', async () => {
    const app = await CodeApp.connect(gatehouse);
    const there = app.at(replica);
    const going = [begin(app), begin(there)];
    await untilRuns(app, 2);
    for (const { cancel } of going) cancel();
    await untilSettled(there);
    await expectFreePlaces(app);
    await expectFreePlaces(there);
    expect(await app.used()).toBe(await there.used());
  });
});

const describeWithRedis = globalThis.STORAGE === 'embedded' ? describe.skip : describe;

describeWithRedis('run_code with Redis whose caller hangs up (embedded storage has none)', () => {
  let redis: RedisServer;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    redis = await startRedisServer();
    gatehouse = await startGatehouse({ ...LIMIT, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await gatehouse.stop();
    await redis.stop();
  });

  it('ends by what its client tells another replica', async () => {
    const replica = await startGatehouse({ ...LIMIT, REDIS_URL: redis.url }, gatehouse);
    const app = await CodeApp.connect(gatehouse);
    const { ended } = begin(app);
    await untilRuns(app);
    await app.at(replica).cancelByNotice();
    await ended;
    await untilSettled(app);
    await expectFreePlaces(app.at(replica));
    await replica.stop();
  });

  it('ends while Redis is away, and others run when it is back', async () => {
    const app = await CodeApp.connect(gatehouse);
    const { cancel } = begin(app);
    await untilRuns(app);
    await redis.stop();
    cancel();
    await untilIdle();
    redis = await startRedisServer(redis.port);
    await eventually(async () => expect((await app.run({ code: '1' })).structured?.value).toBe(1));
  });
});
