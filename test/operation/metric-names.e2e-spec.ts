import { readFileSync } from 'node:fs';
import { Registry } from '../../apps/server/src/observability/prometheus.js';
import { parse } from 'yaml';
import { ALARMING_EVENTS } from '../../apps/server/src/observability/metrics/event-metrics.service.js';
import { startAdministered } from '../support/admin-api.js';
import { useGatehouse } from '../support/gatehouse.js';
import { jsonFile } from '../support/json-file.js';
import { askManagement } from '../support/management.js';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const { groups } = parse(read('ops/prometheus/gatehouse.rules.yml')) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const alertNames = alerts.map(({ alert = '' }) => alert);
const { panels } = JSON.parse(read('ops/grafana/gatehouse.json')) as {
  panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
};
const panelQueries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const { rules: adapterRules } = parse(read('ops/prometheus/adapter.yml')) as {
  rules: readonly { readonly seriesQuery: string }[];
};
const operating = read('docs/guides/operating.md');

/** The sections of docs/guides/operating.md by the anchors of their headings. */
const sections = new Map(
  operating
    .split(/\n#{2,3} /)
    .slice(1)
    .map((part) => [part.split('\n', 1)[0]?.toLowerCase().replaceAll(' ', '-') ?? '', part]),
);

/** The metrics of a query; names with a colon are those of recording rules. */
const metricsIn = (expr: string) =>
  [...expr.matchAll(/\b(?:gatehouse|nodejs|process)(?:_\w+|:[\w:]+)|\bup\b/g)].map(
    ([name]) => name,
  );
const groupingsIn = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
const labelsIn = (expr: string) => [
  ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
  ...groupingsIn(expr),
];

/** Variables that give a replica all its metrics, except those of storages. */
const ALL_METRICS = {
  MANAGEMENT_PORT: '0',
  EVENTS_WEBHOOK_URL: 'http://127.0.0.1:9/events',
  EVENTS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  TRUSTED_ISSUERS_FILE: jsonFile([
    {
      issuer: 'https://idp.example',
      name: 'Acme',
      clients: ['app'],
      scopes: ['account:read'],
      accounts: 'linked',
    },
  ]),
};

/** Labels that Prometheus adds to scraped samples. */
const OF_TARGETS = ['job', 'instance', 'namespace', 'pod'];

/** Metrics that only some storages have: type and labels. */
const OF_STORAGES: readonly (readonly [string, string, readonly string[]])[] = [
  ['gatehouse_database_connections', 'gauge', ['state']],
  ['gatehouse_database_read_only', 'gauge', []],
  ['gatehouse_redis_connected', 'gauge', []],
  ['gatehouse_redis_duration_seconds', 'histogram', []],
];

describe('metrics', () => {
  const gatehouse = useGatehouse(() => startAdministered(ALL_METRICS));
  /** The labels of each name that a query may select. */
  let labelsOf: Map<string, readonly string[]>;
  /** Name, type and labels of each exported metric. */
  let exported: readonly string[];

  beforeAll(async () => {
    const registry = gatehouse.app.get(Registry);
    const { text } = await askManagement(gatehouse, '/metrics');
    const found = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
      const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
      return [name, type, labelNames] as const;
    });
    const metrics = [
      ...found,
      ...OF_STORAGES.filter(([name]) => !text.includes(`# TYPE ${name} `)),
    ];
    exported = metrics.map(([name, type, labels]) => [name, type, ...labels].join(' '));
    labelsOf = new Map<string, readonly string[]>([['up', []]]);
    for (const [name, type, labels] of metrics) {
      if (type !== 'histogram') labelsOf.set(name, labels);
      else {
        labelsOf.set(`${name}_bucket`, [...labels, 'le']);
        for (const suffix of ['count', 'sum']) labelsOf.set(`${name}_${suffix}`, labels);
      }
    }
    for (const { record, expr } of rules) {
      if (record !== undefined) labelsOf.set(record, groupingsIn(expr));
    }
  });

  it('are listed in docs/reference/metrics.md, each with its type and labels, and no other', () => {
    const wordsIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word);
    const rows = read('docs/reference/metrics.md').matchAll(
      /^\| (`.+?`) +\| (counter|gauge|histogram) +\| (.*?) +\| \S.* \|$/gm,
    );
    const documented = [...rows].flatMap(([, names = '', type, labels = '']) =>
      wordsIn(names).map((name) => [name, type, ...wordsIn(labels)].join(' ')),
    );
    expect(exported.length).toBeGreaterThan(40);
    expect(documented.toSorted()).toEqual(exported.toSorted());
  });

  it.each<[string, readonly string[]]>([
    ['ops/prometheus/gatehouse.rules.yml', rules.map(({ expr }) => expr)],
    ['ops/prometheus/adapter.yml', adapterRules.map(({ seriesQuery }) => seriesQuery)],
    ['ops/grafana/gatehouse.json', panelQueries],
  ])('that %s queries exist, with the labels that it uses', (_file, queries) => {
    expect(queries.length).toBeGreaterThan(0);
    for (const query of queries) {
      const metrics = metricsIn(query);
      expect([query, metrics.length]).not.toEqual([query, 0]);
      const unknown = metrics.filter((name) => !labelsOf.has(name));
      const labels = new Set(
        metrics.flatMap((name) => labelsOf.get(name) ?? []).concat(OF_TARGETS),
      );
      const wrong = labelsIn(query).filter((label) => !labels.has(label));
      expect([query, ...unknown, ...wrong]).toEqual([query]);
    }
  });

  it('of ours but those of the administration are on the Grafana dashboard, which selects the chosen job in every query', () => {
    const shown = new Set(panelQueries.flatMap(metricsIn));
    const names = exported.flatMap((line) => /^gatehouse_(?!admin_)\w+/.exec(line) ?? []);
    const isShown = (name: string) =>
      [name, `${name}_bucket`, `${name}_count`].some((queried) => shown.has(queried));
    expect(names.filter((name) => !isShown(name))).toEqual([]);
    for (const query of panelQueries) {
      expect(query.match(/job="\$job"/g)).toHaveLength(metricsIn(query).length);
    }
  });

  it('of security events that alerts select are counted from 0', () => {
    const types = rules.flatMap(({ expr }) => /type=~?"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []);
    expect([...new Set(types)].toSorted()).toEqual(ALARMING_EVENTS.toSorted());
  });

  it('of buckets are selected as Prometheus 2 writes their bounds (45) and as 3 does (45.0)', () => {
    const bounds = rules.flatMap(({ expr }) => expr.match(/\ble\S+"/g) ?? []);
    expect(bounds.length).toBeGreaterThan(0);
    for (const bound of bounds) expect(bound).toMatch(/^le=~"(\d+)\|\1\.0"$/);
  });
});

describe('ops/prometheus/gatehouse.rules.yml', () => {
  it.each([
    ['docs/guides/operating.md', operating.matchAll(/^- `(Gatehouse\w+)`/gm)],
    [
      'gatehouse.rules.test.yml, in which each of them fires',
      read('ops/prometheus/gatehouse.rules.test.yml').matchAll(/alertname="(\w+)"/g),
    ],
  ])('has the alerts of %s', (_file, found) => {
    expect([...found].map(([, name]) => name).toSorted()).toEqual(alertNames.toSorted());
  });

  it.each(alerts)('$alert has a severity, texts and a runbook that names it', (rule) => {
    const { alert = '', annotations = {}, labels, expr } = rule;
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['critical', 'warning']).toContain(labels?.severity);
    expect(annotations['summary']).toMatch(/^[A-Z].*[^.]$/);
    expect(annotations['description']).toMatch(/\.$/);
    const [document, anchor = ''] = annotations['runbook_url']?.split('#') ?? [];
    expect(document).toBe('https://docs.example/gatehouse/guides/operating.md');
    expect(sections.get(anchor)).toContain(`\`${alert}\``);
    const groupings = groupingsIn(expr);
    for (const [, label = ''] of annotations['description']?.matchAll(/\$labels\.(\w+)/g) ?? []) {
      if (groupings.length > 0) expect(groupings).toContain(label);
    }
  });
});
