// What is measured, and how a figure is judged.

/** `title` heads a column, `unit` follows the number where there is no column; of the usual size are the `places`. */
const KINDS = {
  server: { title: 'server µs', unit: ' µs', places: 0 },
  stores: { title: 'stores µs', unit: ' µs in stores', places: 0 },
  rate: { title: 'a second', unit: '/s', places: 0, moreIsBetter: true },
  heap: { title: 'heap KiB', unit: ' KiB heap', places: 1 },
  resident: { title: 'RSS KiB', unit: ' KiB RSS', places: 1 },
  connect: { title: 'connect µs', unit: ' µs to connect', places: 0 },
  firstAnswer: { title: 'first answer s', unit: ' s', places: 2 },
  idle: { title: 'idle RSS MB', unit: ' MB RSS', places: 0 },
  served: { title: 'RSS MB after 1,000 requests', unit: ' MB RSS after 1,000 requests', places: 0 },
  installed: { title: 'installed MB', unit: ' MB', places: 0 },
  wait: { title: 'p50 ms', unit: ' ms', places: 1 },
  calm: { title: 'p50 ms, calm', unit: ' ms', places: 1 },
};

/** In the order in which they are shown. */
export const FIGURES = Object.keys(KINDS);

export const titleOf = (figure) => KINDS[figure].title;

/** The middle one; of an even number, the lower of the two. */
export function median(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

const written = (figure, value) =>
  value.toLocaleString('en-GB', {
    minimumFractionDigits: KINDS[figure].places,
    maximumFractionDigits: KINDS[figure].places,
  });

export const withUnit = (figure, samples) =>
  `${written(figure, median(samples))}${KINDS[figure].unit}`;

/** Median, and in parentheses the least and the most. */
export function withSpread(figure, samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = written(figure, median(samples));
  if (sorted.length < 2) return middle;
  return `${middle} (${written(figure, sorted[0])}–${written(figure, sorted.at(-1))})`;
}

/** How many times as good ours is as the other. */
export function timesAsGood(figure, ours, other) {
  const times = median(other) / median(ours);
  return KINDS[figure].moreIsBetter ? 1 / times : times;
}

/** Such as `≤ 70`; empty for no goal. */
export function goalText(figure, goal) {
  if (goal === undefined) return '';
  return `${KINDS[figure].moreIsBetter ? '≥' : '≤'} ${goal.toLocaleString('en-GB')}`;
}

/** `yes`, `better` when even the second goal is reached, `no`; empty for no goal. */
export function judged(figure, samples, [goal, stretch] = []) {
  const reaches = (bound) =>
    KINDS[figure].moreIsBetter ? median(samples) >= bound : median(samples) <= bound;
  if (goal === undefined) return '';
  if (!reaches(goal)) return 'no';
  return stretch !== undefined && reaches(stretch) ? 'better' : 'yes';
}
