import { Registry } from 'prom-client';
import type { Gatehouse } from '../support/gatehouse.js';
import { parseQuery } from './promql.js';
import { askManagement } from '../support/management.js';

/** With these a replica has all its metrics, but for those of storages. */
export const ALL_METRICS = {
  MANAGEMENT_PORT: '0',
  EVENTS_WEBHOOK_URL: 'http://127.0.0.1:9/events',
  EVENTS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
};

/** What Prometheus adds to what it scrapes. */
const OF_TARGETS = ['job', 'instance', 'namespace', 'pod'];

/** What only some storages have. */
const ELSEWHERE: readonly (readonly [string, readonly string[]])[] = [
  ['gatehouse_database_connections', ['state']],
  ['gatehouse_database_read_only', []],
  ['gatehouse_redis_connected', []],
  ['gatehouse_redis_duration_seconds', ['le']],
];

/** The names that may be asked for of a histogram are those of its samples. */
const baseOf = (sample: string) => sample.replace(/_(?:bucket|count|sum)$/, '');

/** The metrics of a running service with their labels, for whoever asks for them. */
export class KnownMetrics {
  private constructor(private readonly labelsOf: Map<string, readonly string[]>) {}

  static async of(gatehouse: Gatehouse): Promise<KnownMetrics> {
    const { text } = await askManagement(gatehouse, '/metrics');
    const registry = gatehouse.app.get(Registry);
    const labelsOf = new Map<string, readonly string[]>([['up', []], ...ELSEWHERE]);
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
      labelsOf.set(name, type === 'histogram' ? [...labelNames, 'le'] : labelNames);
    }
    return new KnownMetrics(labelsOf);
  }

  get ours(): string[] {
    return [...this.labelsOf.keys()].filter((name) => name.startsWith('gatehouse_'));
  }

  /** Counts what a recording rule writes among the metrics. */
  add(name: string, expr: string) {
    this.labelsOf.set(name, parseQuery(expr).groupings);
  }

  /** The metrics that a query asks for, without what a histogram puts behind its name. */
  asked = (expr: string) =>
    parseQuery(expr).selectors.map(({ metric }) => this.nameOf(metric) ?? metric);

  /** What of a query there is not: metrics, labels that they do not have. */
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

  /** What a metric can be chosen by; undefined where there is none of that name. */
  labels(metric: string) {
    const name = this.nameOf(metric);
    return name === undefined ? undefined : [...OF_TARGETS, ...(this.labelsOf.get(name) ?? [])];
  }

  private nameOf = (metric: string) =>
    [metric, baseOf(metric)].find((name) => this.labelsOf.has(name));
}
