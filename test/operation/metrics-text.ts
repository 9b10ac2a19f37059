/** One sample of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const COMMENT =
  /^# (?:HELP [a-zA-Z_:][\w:]* .*|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped))$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]?Inf|nan)$/i;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/** Parses an exposition (text format 0.0.4, numbers as Go reads them); throws on any line that is not in it. */
export function parseMetrics(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => (line.startsWith('#') ? comment(line) : [sample(line)]));
}

/** The sum of the samples with these labels; 0 where there are none yet. */
export function valueOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}) {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}

function comment(line: string): Sample[] {
  if (!COMMENT.test(line)) throw new Error(`not a comment of the format: ${line}`);
  return [];
}

function sample(line: string): Sample {
  const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
  const pairs = [...labels.matchAll(LABEL)];
  const isWhole = pairs.map(([pair]) => pair).join('') === labels;
  if (name === '' || !isWhole) throw new Error(`not a sample of the format: ${line}`);
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value?.replace('Inf', 'Infinity')),
  };
}
