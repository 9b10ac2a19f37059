import { readFile } from 'node:fs/promises';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { ALL_METRICS, KnownMetrics } from './known-metrics.js';
import { parseQuery } from './promql.js';

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

const FILE = new URL('../../ops/grafana/gatehouse.json', import.meta.url);

/** The query as Grafana fills it in. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m');

describe('Grafana dashboard', () => {
  let gatehouse: Gatehouse;
  let known: KnownMetrics;
  let queries: readonly string[];

  beforeAll(async () => {
    gatehouse = await startGatehouse(ALL_METRICS);
    known = await KnownMetrics.of(gatehouse);
    const { panels } = JSON.parse(await readFile(FILE, 'utf8')) as Dashboard;
    queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr)));
  });
  afterAll(() => gatehouse.stop());

  it('asks for metrics that there are, by labels that they have', () => {
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap((query) => known.misfits(query))).toEqual([]);
  });

  it('asks for those of the job that is chosen, in each panel', () => {
    const jobs = queries.flatMap((query) =>
      parseQuery(query).selectors.map(({ labels }) => labels['job']),
    );
    expect(new Set(jobs)).toEqual(new Set(['$job']));
  });

  it('leaves none of ours out', () => {
    const asked = new Set(queries.flatMap(known.asked));
    expect(known.ours.filter((name) => !asked.has(name))).toEqual([]);
  });
});
