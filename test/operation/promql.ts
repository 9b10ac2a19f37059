import { parser } from '@prometheus-io/lezer-promql';

/** A selected metric, with the labels of its matchers. */
export interface Selector {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Query {
  readonly selectors: readonly Selector[];
  /** Labels of `by`, `on` and similar clauses. */
  readonly groupings: readonly string[];
}

/** The selectors and groupings of a query. @throws for invalid PromQL, with the position */
export function parseQuery(expr: string): Query {
  const selectors: { metric: string; labels: Record<string, string> }[] = [];
  const groupings: string[] = [];
  let label = '';
  let isGrouping = false;
  parser.parse(expr).iterate({
    enter: ({ name, type, from, to }) => {
      const text = expr.slice(from, to);
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', labels: {} });
      if (name === 'GroupingLabels') isGrouping = true;
      if (name === 'LabelName' && isGrouping) groupings.push(text);
      const selector = selectors.at(-1);
      if (selector === undefined) return;
      if (name === 'Identifier') selector.metric = text;
      if (name === 'LabelName' && !isGrouping) label = text;
      if (name === 'StringLiteral') selector.labels[label] = text.slice(1, -1);
    },
    leave: ({ name }) => {
      if (name === 'GroupingLabels') isGrouping = false;
    },
  });
  return { selectors, groupings };
}
