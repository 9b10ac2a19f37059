import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { CodeApp } from './code-app.js';

const LIMIT = 200;
const SLOW = 'const end = Date.now() + 60; while (Date.now() < end); return 1';

describe('the budget of run_code (contract: Budget)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ BUDGET_DAILY_LIMIT: String(LIMIT) }));
  let app: CodeApp;

  beforeEach(async () => {
    app = await CodeApp.connect(gatehouse);
  });

  it('refuses what it may not cover, and names what it would', async () => {
    const { refusal } = await app.run({ code: 'return 1', timeoutMs: 5_000 });
    expect(refusal).toMatch(
      /up to 525 credits .* 200 are left; call with timeoutMs of at most 1750, or try again after \d{4}-\d\d-\d\dT00:00:00\.000Z/,
    );
    expect(await app.used()).toBe(0);
    expect((await app.run({ code: 'return 1', timeoutMs: 1_740 })).structured?.value).toBe(1);
  });

  it('is never passed by 20 at once, and pays exactly for what ran', async () => {
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => app.run({ code: SLOW, timeoutMs: 500 })),
    );
    const paid = runs.map(({ structured }) => structured?.creditsUsed ?? 0);
    const used = await app.used();
    expect(used).toBe(paid.reduce((sum, credits) => sum + credits, 0));
    expect(used).toBeLessThanOrEqual(LIMIT);
    expect(paid.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    for (const { refusal } of runs)
      expect(refusal ?? 'Nothing was run').toMatch(/othing was (run|done)/);
  });

  it('pays no more than the most it may cost for code that has to be killed', async () => {
    const code = 'new Array(2 ** 32 - 1).join("x")';
    const { refusal } = await app.run({ code, timeoutMs: 100 });
    expect(refusal).toContain('did not end within 100 ms');
    const used = await app.used();
    expect(used).toBeGreaterThanOrEqual(35);
    expect(used).toBeLessThanOrEqual(36);
  });
});

const describeWithRedis = globalThis.STORAGE === 'embedded' ? describe.skip : describe;

describeWithRedis('run_code with Redis (embedded storage has none)', () => {
  let redis: RedisServer;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    redis = await startRedisServer();
    gatehouse = await startGatehouse({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await gatehouse.stop();
    await redis.stop();
  });

  it('counts the runs of an account over all replicas', async () => {
    const replica = await startGatehouse({ REDIS_URL: redis.url }, gatehouse);
    const app = await CodeApp.connect(gatehouse);
    const there = app.at(replica);
    const code = 'const end = Date.now() + 900; while (Date.now() < end); return 1';
    const calls = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? app : there).run({ code, timeoutMs: 1_000 }),
    );
    const runs = await Promise.all(calls);
    const refused = runs.filter(({ refusal }) => refusal?.includes('2 runs'));
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(await app.used()).toBeLessThanOrEqual(1_000);
    await replica.stop();
  });

  it('runs nothing while Redis is away, and again when it is back', async () => {
    const app = await CodeApp.connect(gatehouse);
    await redis.stop();
    const { refusal } = await app.run({ code: 'return 1' });
    expect(refusal).toMatch(/cannot .* right now/);
    redis = await startRedisServer(redis.port);
    await eventually(async () =>
      expect((await app.run({ code: 'return 1' })).structured?.value).toBe(1),
    );
  });
});
