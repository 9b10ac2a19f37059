import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './metrics-text.js';

type Node = ReturnType<typeof parser.parse>['topNode'];

type Labels = Readonly<Record<string, string>>;

interface Element {
  readonly labels: Labels;
  readonly value: number;
}

interface Series {
  readonly labels: Labels;
  readonly points: { readonly at: number; readonly value: number }[];
}

export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An older sample no longer counts; Prometheus calls it stale. */
const LOOK_BACK_SECONDS = 300;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '<': (one, other) => one < other,
  '==': (one, other) => one === other,
};

const ARITHMETIC: Readonly<Record<string, (one: number, other: number) => number>> = {
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '-': (one, other) => one - other,
};

const AGGREGATIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
};

type Points = Series['points'];

/** A counter that was reset counts from 0. */
const increase = (points: Points) =>
  points.reduce((sum, { value }, at) => {
    const before = points[at - 1]?.value ?? value;
    return sum + (value < before ? value : value - before);
  }, 0);

/** Over the range of the samples, extrapolated to the ends of the range like Prometheus. */
function increaseOver(points: Points, from: number, to: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last === first) return undefined;
  const rise = increase(points);
  const sampled = last.at - first.at;
  const average = sampled / (points.length - 1);
  const reach = (gap: number) => (gap < average * 1.1 ? gap : average / 2);
  const toZero = rise > 0 ? (sampled * first.value) / rise : Infinity;
  const beyond = Math.min(reach(first.at - from), toZero) + reach(to - last.at);
  return (rise * (sampled + beyond)) / sampled;
}

type OverRange = (points: Points, from: number, to: number) => number | undefined;

const RANGES: Readonly<Record<string, OverRange>> = {
  increase: increaseOver,
  rate: (points, from, to) => {
    const rise = increaseOver(points, from, to);
    return rise === undefined ? undefined : rise / (to - from);
  },
  changes: (points) =>
    points.filter(({ value }, at) => at > 0 && value !== points[at - 1]?.value).length,
  avg_over_time: (points) => points.reduce((sum, { value }) => sum + value, 0) / points.length,
};

/**
 * Evaluates rules over samples like Prometheus, for the part of its language that the rules use: promtool is not
 * available where the tests run. Throws for anything else.
 */
export class Prometheus {
  private readonly series = new Map<string, Series>();
  private readonly activeSince = new Map<string, number>();
  private now = 0;

  constructor(private readonly rules: readonly Rule[]) {}

  /** Adds samples with the target's labels, and evaluates the rules at that time. */
  scrape(atSeconds: number, samples: readonly Sample[], target: Labels = {}): void {
    this.now = atSeconds;
    for (const { name, labels, value } of samples) this.add(name, { ...labels, ...target }, value);
    for (const { record, alert, expr } of this.rules) {
      const found = this.evaluate(expr);
      if (record !== undefined) {
        for (const { labels, value } of found) this.add(record, labels, value);
      }
      if (alert === undefined) continue;
      if (found.length === 0) this.activeSince.delete(alert);
      else if (!this.activeSince.has(alert)) this.activeSince.set(alert, atSeconds);
    }
  }

  /** Alerts whose condition has held for the duration that they require. */
  get firing(): string[] {
    return this.rules.flatMap(({ alert = '', for: wanted = '0m' }) => {
      const since = this.activeSince.get(alert);
      return since !== undefined && this.now - since >= secondsOf(wanted) ? [alert] : [];
    });
  }

  /** Alerts whose condition holds, for any duration. */
  get active(): string[] {
    return [...this.activeSince.keys()];
  }

  private evaluate(expr: string): Element[] {
    const { topNode } = parser.parse(expr);
    const value = this.valueOf(theOnly(topNode), expr);
    if (typeof value === 'number') throw new Error(`a number alone: ${expr}`);
    return value;
  }

  private add(name: string, labels: Labels, value: number) {
    const key = `${name}${keyOf(labels)}`;
    const known = this.series.get(key) ?? { labels: { ...labels, __name__: name }, points: [] };
    known.points.push({ at: this.now, value });
    this.series.set(key, known);
  }

  private valueOf(node: Node, expr: string): Element[] | number {
    const text = expr.slice(node.from, node.to);
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(text);
      case 'ParenExpr':
        return this.valueOf(theOnly(node), expr);
      case 'VectorSelector':
        return this.select(node, expr, 0).flatMap(({ labels, points }) => {
          const last = points.findLast(({ at }) => at <= this.now);
          const isFresh = last !== undefined && this.now - last.at < LOOK_BACK_SECONDS;
          return isFresh ? [{ labels: nameless(labels), value: last.value }] : [];
        });
      case 'AggregateExpr':
        return this.aggregate(node, expr);
      case 'FunctionCall':
        return this.call(node, expr);
      case 'BinaryExpr':
        return this.combine(node, expr);
      default:
        throw new Error(`cannot evaluate ${node.name}: ${text}`);
    }
  }

  private vectorOf(node: Node | null, expr: string): Element[] {
    const value = node ? this.valueOf(node, expr) : [];
    return typeof value === 'number' ? [{ labels: {}, value }] : value;
  }

  private select(node: Node, expr: string, offsetSeconds: number): Series[] {
    const read = (at: Node | null | undefined) => (at ? expr.slice(at.from, at.to) : '');
    const name = read(node.getChild('Identifier'));
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const tests = matchers.map((matcher) => {
      const label = read(matcher.getChild('LabelName'));
      const wanted = read(matcher.getChild('StringLiteral')).slice(1, -1);
      const operator = read(matcher.getChild('MatchOp'));
      const pattern = new RegExp(`^(?:${wanted})$`);
      const isLike = (value: string) =>
        operator.endsWith('~') ? pattern.test(value) : value === wanted;
      return (labels: Labels) => isLike(labels[label] ?? '') !== operator.startsWith('!');
    });
    const until = this.now - offsetSeconds;
    return [...this.series.values()]
      .filter(({ labels }) => labels['__name__'] === name && tests.every((test) => test(labels)))
      .map(({ labels, points }) => ({ labels, points: points.filter(({ at }) => at <= until) }));
  }

  private aggregate(node: Node, expr: string): Element[] {
    const operator = expr.slice(node.firstChild?.from, node.firstChild?.to);
    const aggregation = AGGREGATIONS[operator];
    if (!aggregation) throw new Error(`cannot aggregate by ${operator}`);
    const by = node.getChild('AggregateModifier')?.getChild('GroupingLabels');
    const names = (by?.getChildren('LabelName') ?? []).map(({ from, to }) => expr.slice(from, to));
    const body = node.getChild('FunctionCallBody');
    const groups = Map.groupBy(this.vectorOf(body?.firstChild ?? null, expr), ({ labels }) =>
      keyOf(only(labels, names)),
    );
    return [...groups.values()].map((group) => ({
      labels: only(group[0]?.labels ?? {}, names),
      value: aggregation(group.map(({ value }) => value)),
    }));
  }

  private call(node: Node, expr: string): Element[] {
    const name = expr.slice(node.firstChild?.from, node.firstChild?.to);
    const args = childrenOf(node.getChild('FunctionCallBody'));
    const [first = null, second = null] = args;
    if (name === 'absent') {
      return this.vectorOf(first, expr).length === 0 ? [{ labels: {}, value: 1 }] : [];
    }
    if (name === 'histogram_quantile') {
      const [wanted] = this.vectorOf(first, expr);
      return quantiles(wanted?.value ?? 0, this.vectorOf(second, expr));
    }
    const over = RANGES[name];
    if (!over || !first) throw new Error(`cannot call ${name}`);
    const isLater = first.name === 'OffsetExpr';
    const matrix = isLater ? first.firstChild : first;
    const offset = isLater ? lengthOf(first.getChild('OffsetDurationExpr'), expr) : 0;
    const seconds = lengthOf(matrix?.getChild('DurationExpr'), expr);
    const selector = matrix?.getChild('VectorSelector');
    if (!selector) throw new Error(`${name} of what is no range`);
    return this.select(selector, expr, offset).flatMap(({ labels, points }) => {
      const until = this.now - offset;
      const within = points.filter(({ at }) => at > until - seconds);
      const value = within.length === 0 ? undefined : over(within, until - seconds, until);
      return value === undefined ? [] : [{ labels: nameless(labels), value }];
    });
  }

  private combine(node: Node, expr: string): Element[] | number {
    const [left, operation, right, ...rest] = childrenOf(node);
    if (!left || !operation || !right || rest.length > 0) throw new Error(`cannot match: ${expr}`);
    const operator = expr.slice(operation.from, operation.to);
    const one = this.valueOf(left, expr);
    const other = this.valueOf(right, expr);
    if (operator === 'and') {
      const there = new Set(this.vectorOf(right, expr).map(({ labels }) => keyOf(labels)));
      return this.vectorOf(left, expr).filter(({ labels }) => there.has(keyOf(labels)));
    }
    const arithmetic = ARITHMETIC[operator];
    const comparison = COMPARISONS[operator];
    const apply = (a: number, b: number, kept: number): number | undefined => {
      if (arithmetic) return arithmetic(a, b);
      if (!comparison) throw new Error(`cannot combine by ${operator}`);
      return comparison(a, b) ? kept : undefined;
    };
    if (typeof one === 'number' && typeof other === 'number') return apply(one, other, one) ?? 0;
    const [elements, partnerOf] =
      typeof one === 'number' ? [other as Element[], () => one] : [one, partnersIn(other)];
    return elements.flatMap((element) => {
      const partner = partnerOf(element);
      if (partner === undefined) return [];
      const { labels, value } = element;
      const result =
        typeof one === 'number' ? apply(one, value, value) : apply(value, partner, value);
      return result === undefined ? [] : [{ labels, value: result }];
    });
  }
}

/** The values of a series in promtool's notation: `0+60x20`, `7x40`, or a single number. */
export function valuesOf(notation: string): number[] {
  return notation.split(' ').flatMap((part) => {
    const [, first = '', step = '0', times = '0'] =
      /^([\d.]+)(?:\+([\d.]+))?(?:x(\d+))?$/.exec(part) ?? [];
    return Array.from({ length: Number(times) + 1 }, (_, n) => Number(first) + n * Number(step));
  });
}

function partnersIn(other: Element[] | number) {
  if (typeof other === 'number') return () => other;
  const values = new Map(other.map(({ labels, value }) => [keyOf(labels), value]));
  return ({ labels }: Element) => values.get(keyOf(labels));
}

function quantiles(wanted: number, buckets: readonly Element[]): Element[] {
  const groups = Map.groupBy(buckets, ({ labels: { le: _, ...labels } }) => keyOf(labels));
  return [...groups.values()].flatMap((group) => {
    const bounds = group
      .map(({ labels, value }) => ({
        bound: Number(labels['le']?.replace('+Inf', 'Infinity')),
        count: value,
      }))
      .toSorted((a, b) => a.bound - b.bound);
    const rank = wanted * (bounds.at(-1)?.count ?? 0);
    const at = bounds.findIndex(({ count }) => count >= rank && count > 0);
    const [below, found] = [bounds[at - 1], bounds[at]];
    if (!found) return [];
    const from = below?.bound ?? 0;
    const fewer = below?.count ?? 0;
    const { le: _, ...labels } = group[0]?.labels ?? {};
    const share = (rank - fewer) / (found.count - fewer);
    const value = found.bound === Infinity ? from : from + (found.bound - from) * share;
    return [{ labels, value }];
  });
}

const keyOf = (labels: Labels) =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const only = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));

const nameless = ({ __name__: _, ...labels }: Labels): Labels => labels;

function lengthOf(node: Node | null | undefined, expr: string): number {
  if (!node) throw new Error(`no duration in ${expr}`);
  return secondsOf(expr.slice(node.from, node.to));
}

function secondsOf(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  const seconds = UNITS[unit];
  if (seconds === undefined) throw new Error(`no duration: ${duration}`);
  return Number(count) * seconds;
}

function childrenOf(node: Node | null): Node[] {
  const children: Node[] = [];
  for (let child = node?.firstChild ?? null; child; child = child.nextSibling) children.push(child);
  return children;
}

function theOnly(node: Node): Node {
  const [child, ...others] = childrenOf(node);
  if (!child || others.length > 0) throw new Error(`more than one part: ${node.name}`);
  return child;
}
