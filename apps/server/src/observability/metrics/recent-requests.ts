import type { Histogram, MetricValueWithName } from 'prom-client';

const WINDOW_MS = 5 * 60_000;
const STEP_MS = 60_000;
const QUANTILE = 0.99;

/** How long the requests of a route took that ended lately. */
export interface RouteTimes {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  /** Answers of 500 and above. */
  readonly failed: number;
  readonly totalMs: number;
  readonly meanMs: number;
  /** As exact as the buckets of the histogram are. */
  readonly p99Ms: number;
}

/** Requests that are alike, since the start of the process. */
interface Series {
  readonly method: string;
  readonly route: string;
  readonly failed: boolean;
  /** By bucket: as many seconds at most took so many. */
  readonly seconds: number[];
  readonly counts: number[];
  sum: number;
}

type Totals = ReadonlyMap<string, Series>;

interface Reading {
  readonly at: number;
  readonly totals: Totals | Promise<Totals>;
}

type Durations = Pick<Histogram<'method' | 'route' | 'status'>, 'get'>;

/** What a histogram of requests counted in the last five minutes, to the minute: it is read once a minute. */
export class RecentRequests {
  private readings: Reading[];

  constructor(
    private readonly durations: Durations,
    private readonly now = () => performance.now(),
  ) {
    this.readings = [{ at: now(), totals: new Map() }];
  }

  /** To be called before each request that the histogram counts. */
  mark(): void {
    const now = this.now();
    const latest = this.readings.at(-1);
    if (latest && now - latest.at < STEP_MS) return;
    this.readings = this.readings.filter(({ at }) => now - at <= WINDOW_MS);
    this.readings.push({ at: now, totals: this.read() });
  }

  /** Those of the highest 99th percentile, slowest first. */
  async slowest(most: number): Promise<RouteTimes[]> {
    const before = this.readings.find(({ at }) => this.now() - at <= WINDOW_MS);
    if (!before) return [];
    const [now, then] = await Promise.all([this.read(), before.totals]);
    const routes = new Map<string, Series[]>();
    for (const [key, series] of now) {
      const lately = difference(series, then.get(key));
      const name = `${series.method} ${series.route}`;
      if (countOf(lately) > 0) routes.set(name, [...(routes.get(name) ?? []), lately]);
    }
    return [...routes.values()]
      .map(timesOf)
      .toSorted((one, other) => other.p99Ms - one.p99Ms || other.totalMs - one.totalMs)
      .slice(0, most);
  }

  /** What was counted when it is called, whatever is counted while it is waited for. */
  private async read(): Promise<Totals> {
    const { values } = await this.durations.get();
    return totalsOf(values);
  }
}

function totalsOf(values: readonly MetricValueWithName<string>[]): Totals {
  const totals = new Map<string, Series>();
  for (const { labels, value, metricName } of values) {
    const { method = '', route = '', status = '', le } = labels;
    const key = `${method} ${route} ${status}`;
    const series = totals.get(key) ?? {
      method: String(method),
      route: String(route),
      failed: Number(status) >= 500,
      seconds: [],
      counts: [],
      sum: 0,
    };
    totals.set(key, series);
    if (metricName?.endsWith('_sum')) series.sum = value;
    if (le === undefined) continue;
    series.seconds.push(le === '+Inf' ? Infinity : Number(le));
    series.counts.push(value);
  }
  return totals;
}

const countOf = ({ counts }: Series) => counts.at(-1) ?? 0;

const difference = (now: Series, then: Series | undefined): Series => ({
  ...now,
  counts: now.counts.map((count, at) => count - (then?.counts[at] ?? 0)),
  sum: now.sum - (then?.sum ?? 0),
});

function timesOf(all: readonly Series[]): RouteTimes {
  const [{ method, route, seconds }] = all as readonly [Series, ...Series[]];
  const counts = seconds.map((_, at) => all.reduce((sum, one) => sum + (one.counts[at] ?? 0), 0));
  const requests = counts.at(-1) ?? 0;
  const failed = all.filter((one) => one.failed).reduce((sum, one) => sum + countOf(one), 0);
  const total = all.reduce((sum, one) => sum + one.sum, 0);
  return {
    method,
    route,
    requests,
    failed,
    totalMs: milliseconds(total),
    meanMs: milliseconds(total / requests),
    p99Ms: milliseconds(quantile(seconds, counts)),
  };
}

/** Between the bounds of its bucket, as Prometheus does; beyond the last bound it is that. */
function quantile(seconds: readonly number[], counts: readonly number[]): number {
  const rank = QUANTILE * (counts.at(-1) ?? 0);
  const at = counts.findIndex((count) => count >= rank);
  const [below = 0, bound = 0] = [seconds[at - 1], seconds[at]];
  if (bound === Infinity) return below;
  const [fewer = 0, count = 0] = [counts[at - 1], counts[at]];
  return below + ((bound - below) * (rank - fewer)) / (count - fewer);
}

const milliseconds = (seconds: number) => Math.round(seconds * 10_000) / 10;
