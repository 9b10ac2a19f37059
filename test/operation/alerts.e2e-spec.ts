import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ALARMING_EVENTS } from '../../apps/server/src/observability/metrics/event-metrics.service.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { ALL_METRICS, KnownMetrics } from './known-metrics.js';
import { Prometheus, type Rule, valuesOf } from './prometheus.js';
import { parseQuery } from './promql.js';

interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The part of promtool's test format that our tests use. */
interface RulesTest {
  readonly name: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly { readonly exp_samples: readonly { labels: string }[] }[];
}

const { groups } = parse(read('ops/prometheus/gatehouse.rules.yml')) as Rules;
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const alertNames = alerts.map(({ alert = '' }) => alert);
const { tests } = parse(read('ops/prometheus/gatehouse.rules.test.yml')) as { tests: RulesTest[] };

/** The minute at which the promtool tests end. */
const LAST_MINUTE = 60;

/** The sections of docs/guides/operating.md by the anchors of their headings. */
const parts = new Map(
  read('docs/guides/operating.md')
    .split(/\n#{2,3} /)
    .slice(1)
    .map((part) => [part.split('\n', 1)[0]?.toLowerCase().replaceAll(' ', '-') ?? '', part]),
);

describe('ops/prometheus/gatehouse.rules.yml', () => {
  let gatehouse: Gatehouse;
  let known: KnownMetrics;

  beforeAll(async () => {
    gatehouse = await startGatehouse(ALL_METRICS);
    known = await KnownMetrics.of(gatehouse);
    for (const { record, expr } of rules) if (record !== undefined) known.add(record, expr);
  });
  afterAll(() => gatehouse.stop());

  it('asks for metrics that there are, by labels that they have', () => {
    expect(alerts.length).toBeGreaterThan(15);
    const misfits = rules.map(({ alert, record, expr }) => [alert ?? record, known.misfits(expr)]);
    expect(misfits.filter(([, found]) => (found?.length ?? 0) > 0)).toEqual([]);
  });

  it.each([
    ['gatehouse_hub_socket > 0', ['gatehouse_hub_socket']],
    ['rate(gatehouse_hub_messages_total{way="in"}[5m])', ['gatehouse_hub_messages_total{way}']],
    ['sum by (tool) (gatehouse_hub_sockets)', ['tool']],
    ['sum by (le) (rate(gatehouse_hub_messages_total[5m]))', ['le']],
  ])('would not ask for %s', (query, misfits) => {
    expect(known.misfits(query)).toEqual(misfits);
  });

  it('has an adapter for the autoscaler that asks for a metric that there is', () => {
    const { rules: told } = parse(read('ops/prometheus/adapter.yml')) as {
      rules: { seriesQuery: string; metricsQuery: string }[];
    };
    for (const { seriesQuery, metricsQuery } of told) {
      const [series = '', labels = ''] = seriesQuery.split(/[{}]/);
      const filledIn = { Series: series, LabelMatchers: labels, GroupBy: 'pod' };
      const query = Object.entries(filledIn).reduce(
        (text, [name, value]) => text.replaceAll(`<<.${name}>>`, value),
        metricsQuery,
      );
      expect([...known.misfits(seriesQuery), ...known.misfits(query)]).toEqual([]);
    }
  });

  it('is PromQL', () => {
    expect(() => parseQuery('sum(up{) > 1')).toThrow('no PromQL');
  });

  it('asks for security events that are counted from 0, each of them', () => {
    const types = rules.flatMap(({ expr }) =>
      parseQuery(expr).selectors.flatMap(({ labels }) => labels['type']?.split('|') ?? []),
    );
    expect([...new Set(types)].toSorted()).toEqual(ALARMING_EVENTS.toSorted());
  });

  it('asks for buckets as Prometheus 2 writes them (45) and as 3 does (45.0)', () => {
    const bounds = rules.flatMap(({ expr }) =>
      parseQuery(expr).selectors.flatMap(({ labels }) => labels['le'] ?? []),
    );
    expect(bounds.length).toBeGreaterThan(0);
    for (const bound of bounds) {
      const [one = ''] = bound.split('|');
      for (const le of [one, `${one}.0`]) expect(le).toMatch(new RegExp(`^(?:${bound})$`));
    }
  });

  it.each(alerts)('$alert says how bad it is, what happened and where to read on', (rule) => {
    const { alert = '', annotations = {}, labels, expr } = rule;
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['critical', 'warning']).toContain(labels?.severity);
    expect(annotations['summary']).toMatch(/^[A-Z].*[^.]$/);
    expect(annotations['description']).toMatch(/\.$/);
    const [document, anchor = ''] = annotations['runbook_url']?.split('#') ?? [];
    expect(document).toBe('https://docs.example/gatehouse/guides/operating.md');
    expect(parts.get(anchor)).toContain(`\`${alert}\``);
    const { selectors, groupings } = parseQuery(expr);
    const told = [...(annotations['description']?.matchAll(/\$labels\.(\w+)/g) ?? [])];
    const has = selectors.flatMap(({ metric }) => known.labels(metric) ?? []);
    for (const [, label = ''] of told) {
      expect(groupings.length > 0 ? groupings : has).toContain(label);
    }
  });

  it('has the alerts that docs/guides/operating.md has, each once', () => {
    const documented = [...read('docs/guides/operating.md').matchAll(/^- `(Gatehouse\w+)`/gm)];
    expect(documented.map(([, name]) => name).toSorted()).toEqual(alertNames.toSorted());
    expect(new Set(alertNames).size).toBe(alertNames.length);
  });

  it('has tests, for promtool, in which each alert fires', () => {
    const firing = [...JSON.stringify(tests).matchAll(/alertname=\\"(\w+)\\"/g)];
    expect(firing.map(([, name]) => name).toSorted()).toEqual(alertNames.toSorted());
  });

  it.each(tests)('passes these: $name', ({ input_series: input, promql_expr_test: expected }) => {
    const prometheus = new Prometheus(rules);
    for (let minute = 0; minute <= LAST_MINUTE; minute += 1) {
      const samples = input.flatMap(({ series, values }) => {
        const { metric = '', labels = {} } = parseQuery(series).selectors[0] ?? {};
        const value = valuesOf(values)[minute];
        return value === undefined ? [] : [{ name: metric, labels, value }];
      });
      prometheus.scrape(minute * 60, samples);
    }
    const firing = expected.flatMap(({ exp_samples: samples }) =>
      samples.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]),
    );
    expect(prometheus.active.toSorted()).toEqual(firing.toSorted());
    expect(prometheus.firing.toSorted()).toEqual(firing.toSorted());
  });
});
