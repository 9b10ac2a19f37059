import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { HeldWrites } from '../support/held-writes.js';
import { askManagement } from '../support/management.js';
import { OAuthClient } from '../support/oauth-client.js';
import { ALL_METRICS } from './known-metrics.js';
import { parseMetrics } from './metrics-text.js';
import { Prometheus, type Rule } from './prometheus.js';

const { groups } = parse(
  readFileSync(new URL('../../ops/prometheus/gatehouse.rules.yml', import.meta.url), 'utf8'),
) as { groups: readonly { readonly rules: readonly Rule[] }[] };

/** Alerts that a machine with many specs at once may cause. */
const OF_THE_MACHINE = new Set(['GatehouseSlow', 'GatehouseEventLoopLag']);

/** Longer than the `for` of any alert. */
const MINUTES = 16;

const onPostgres = globalThis.STORAGE === 'postgres' ? it : it.skip;

describe('alerts on the metrics of a real replica', () => {
  let gatehouse: Gatehouse;
  let prometheus: Prometheus;
  let minute: number;

  beforeEach(async () => {
    gatehouse = await startGatehouse({ ...ALL_METRICS, RATE_LIMIT_MAX: '1000000' });
    prometheus = new Prometheus(groups.flatMap(({ rules }) => rules));
    minute = 0;
  });
  afterEach(() => gatehouse.stop());

  /** Each scrape counts as one minute later than the one before. */
  const scrape = async () => {
    const { text } = await askManagement(gatehouse, '/metrics');
    const up = { name: 'up', labels: {}, value: 1 };
    minute += 1;
    prometheus.scrape(minute * 60, [...parseMetrics(text), up], {
      job: 'gatehouse',
      instance: 'a',
    });
  };
  const firing = () => prometheus.firing.filter((alert) => !OF_THE_MACHINE.has(alert));

  it('none fires while nothing is done', async () => {
    for (let n = 0; n < MINUTES; n += 1) await scrape();
    expect(firing()).toEqual([]);
    expect(prometheus.active).not.toContain('GatehouseDatabasePoolFull');
  });

  it('none fires while people sign in and their apps work', async () => {
    const over = new AbortController();
    const work = Array.from({ length: 4 }, async () => {
      const app = await ConnectedApp.connect(gatehouse);
      while (!over.signal.aborted) {
        await app.browser.me();
        await app.have('account_status');
      }
    });
    for (let n = 0; n < MINUTES; n += 1) await scrape();
    over.abort();
    await Promise.all(work);
    expect(firing()).toEqual([]);
  });

  onPostgres(
    'the one of the pool fires while requests wait for a connection (skipped without Postgres)',
    async () => {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      const client = await OAuthClient.register(gatehouse);
      const held = await HeldWrites.hold(gatehouse.storage.environment.DATABASE_URL);
      const over = new AbortController();
      const waiting = Array.from({ length: 30 }, async () => {
        while (!over.signal.aborted) await browser.get(client.authorizePath());
      });
      await eventually(async () => {
        await scrape();
        expect(prometheus.firing).toContain('GatehouseDatabasePoolFull');
      });
      over.abort();
      await held.release();
      await Promise.all(waiting);
    },
  );
});
