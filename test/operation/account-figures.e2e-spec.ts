import { Redis } from 'ioredis';
import { readServiceVersion } from '../../apps/server/src/config/service-version.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { beginRounds, endRounds } from '../support/rounds.js';
import { askManagement } from '../support/management.js';
import { parseMetrics, type Sample, valueOf } from './metrics-text.js';

const FIVE_MINUTES = 5 * 60_000;
const hasRedis = globalThis.STORAGE !== 'embedded';

const metricsOf = async (gatehouse: Gatehouse) =>
  parseMetrics((await askManagement(gatehouse, '/metrics')).text);

const figuresIn = (samples: readonly Sample[]) =>
  ['users', 'sessions', 'grants'].map(
    (name) => samples.find((sample) => sample.name === `gatehouse_${name}`)?.value,
  );

describe('figures of accounts in /metrics', () => {
  const running: Gatehouse[] = [];

  const start = async (replicaOf?: Gatehouse) => {
    const gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' }, replicaOf);
    running.unshift(gatehouse);
    return gatehouse;
  };
  afterEach(async () => {
    for (const gatehouse of running.splice(0)) await gatehouse.stop();
    endRounds();
  });

  const shows = (gatehouse: Gatehouse, figures: readonly number[]) =>
    eventually(async () => expect(figuresIn(await metricsOf(gatehouse))).toEqual(figures));

  (hasRedis ? it.skip : it)(
    'are counted at the start and every five minutes (embedded only)',
    async () => {
      beginRounds('intervals');
      const gatehouse = await start();
      await shows(gatehouse, [0, 0, 0]);
      await ConnectedApp.connect(gatehouse);
      await new Browser(gatehouse).signUp();
      await jest.advanceTimersByTimeAsync(FIVE_MINUTES);
      await shows(gatehouse, [2, 2, 1]);
    },
  );

  (hasRedis ? it : it.skip)('are counted by one replica for all (with Redis only)', async () => {
    const first = await start();
    await shows(first, [0, 0, 0]);
    await ConnectedApp.connect(first);
    const second = await start(first);
    await shows(second, [0, 0, 0]);
    const redis = new Redis(first.storage.environment['REDIS_URL'] ?? '');
    expect(await redis.pttl('accounts:figures')).toBeLessThanOrEqual(FIVE_MINUTES);
    await redis.del('accounts:figures', 'accounts:figures:turn');
    redis.disconnect();
    await shows(await start(first), [1, 1, 1]);
  });

  it('stand beside the version, and how long statements took', async () => {
    const gatehouse = await start();
    await new Browser(gatehouse).signUp();
    const samples = await metricsOf(gatehouse);
    const version = { version: readServiceVersion() };
    expect(valueOf(samples, 'gatehouse_build_info', version)).toBe(1);
    expect(valueOf(samples, 'gatehouse_sql_duration_seconds_count')).toBeGreaterThan(0);
    const commands = valueOf(samples, 'gatehouse_redis_duration_seconds_count');
    expect(commands > 0).toBe(hasRedis);
    const again = async () =>
      valueOf(await metricsOf(gatehouse), 'gatehouse_sql_duration_seconds_count');
    const before = await again();
    await new Browser(gatehouse).signUp();
    expect(await again()).toBeGreaterThan(before + 1);
  });
});
