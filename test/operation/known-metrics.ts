import { Registry } from '#server';
import type { Gatehouse } from '../support/gatehouse.js';
import { jsonFile } from '../support/json-file.js';
import { parseQuery } from './promql.js';
import { askManagement } from '../support/management.js';

/** Variables that give a replica all its metrics, except those of storages. */
export const ALL_METRICS = {
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
const ELSEWHERE: readonly (readonly [string, string, readonly string[]])[] = [
  ['gatehouse_database_connections', 'gauge', ['state']],
  ['gatehouse_database_read_only', 'gauge', []],
  ['gatehouse_redis_connected', 'gauge', []],
  ['gatehouse_redis_duration_seconds', 'histogram', ['le']],
];

/** A histogram is queried by the names of its samples. */
const baseOf = (sample: string) => sample.replace(/_(?:bucket|count|sum)$/, '');

/** The metrics of a running service with their labels, for checks of queries. */
export class KnownMetrics {
  private constructor(
    private readonly labelsOf: Map<string, readonly string[]>,
    private readonly typeOf: ReadonlyMap<string, string>,
  ) {}

  static async of(gatehouse: Gatehouse): Promise<KnownMetrics> {
    const { text } = await askManagement(gatehouse, '/metrics');
    const registry = gatehouse.app.get(Registry);
    const labelsOf = new Map<string, readonly string[]>([['up', []]]);
    const typeOf = new Map<string, string>();
    for (const [name, type, labels] of ELSEWHERE) {
      labelsOf.set(name, labels);
      typeOf.set(name, type);
    }
    for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
      labelsOf.set(name, type === 'histogram' ? [...labelNames, 'le'] : labelNames);
      typeOf.set(name, type);
    }
    return new KnownMetrics(labelsOf, typeOf);
  }

  get ours(): string[] {
    return [...this.labelsOf.keys()].filter((name) => name.startsWith('gatehouse_'));
  }

  /** What replicas export: name, type and labels of each metric, in alphabetical order. */
  get exported(): string[] {
    const lines = [...this.typeOf].map(([name, type]) => {
      const labels = this.labelsOf.get(name)?.filter((label) => label !== 'le') ?? [];
      return [name, type, ...labels].join(' ');
    });
    return lines.toSorted();
  }

  /** Adds the output of a recording rule to the known metrics. */
  add(name: string, expr: string) {
    this.labelsOf.set(name, parseQuery(expr).groupings);
  }

  /** The metrics that a query selects, without a histogram's suffixes. */
  asked = (expr: string) =>
    parseQuery(expr).selectors.map(({ metric }) => this.nameOf(metric) ?? metric);

  /** The unknown metrics and labels of a query. */
  misfits(expr: string): string[] {
    const { selectors, groupings } = parseQuery(expr);
    const wrong = selectors.flatMap(({ metric, labels }) => {
      const has = this.labels(metric);
      if (has === undefined) return [metric];
      return Object.keys(labels)
        .filter((label) => !has.includes(label))
        .map((label) => `${metric}{${label}}`);
    });
    const all = new Set(selectors.flatMap(({ metric }) => this.labels(metric) ?? []));
    return [...wrong, ...groupings.filter((label) => !all.has(label))];
  }

  /** The labels of a metric; undefined for an unknown metric. */
  labels(metric: string) {
    const name = this.nameOf(metric);
    return name === undefined ? undefined : [...OF_TARGETS, ...(this.labelsOf.get(name) ?? [])];
  }

  private nameOf = (metric: string) =>
    [metric, baseOf(metric)].find((name) => this.labelsOf.has(name));
}
