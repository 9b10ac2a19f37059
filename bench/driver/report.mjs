// The results as Markdown, for bench/RESULTS.md.
import {
  FIGURES,
  goalText,
  judged,
  timesAsGood,
  titleOf,
  withSpread,
  withUnit,
} from './figures.mjs';

const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Figures with a line of their own: those with a goal, or the first where the side is compared with none by ratio. */
const headlines = ({ figures, goals = {}, ratios }) => {
  const wanted = Object.keys(figures).filter((figure) => figure in goals);
  return wanted.length > 0 || ratios ? wanted : Object.keys(figures).slice(0, 1);
};

/** What has a goal as a ratio, and always the first figure. */
const compared = ({ figures }, goals) =>
  Object.keys(figures).filter((figure, n) => n === 0 || figure in goals);

/**
 * A line for each of our figures that has a goal, and the first figure where none has. `results` are rows whose sides
 * have their `figures`.
 */
export function summary(results) {
  const lines = results.flatMap(({ operation, sides }) =>
    sides.filter(({ isOther }) => !isOther).flatMap((side) => linesOf(operation, side, sides)),
  );
  return table(['operation', 'on', 'ours', 'other side', 'ratio', 'goal', 'met'], lines);
}

function linesOf(operation, side, sides) {
  const own = headlines(side).map((figure) => line(operation, side, figure, sides));
  const byRatio = Object.entries(side.ratios ?? {}).flatMap(([against, goals]) =>
    compared(side, goals).map((figure) =>
      ratioLine(operation, side, figure, { against, goal: goals[figure] }, sides),
    ),
  );
  return [...own, ...byRatio];
}

function line(operation, side, figure, sides) {
  const { against, goals = {} } = side;
  const { cells, ours } = compare(operation, side, { figure, against, shown: shortly }, sides);
  return [...cells, goalText(figure, goals[figure]?.[0]), judged(figure, ours, goals[figure])];
}

function ratioLine(operation, side, figure, { against, goal }, sides) {
  const shown = (name) => name.split(',')[0];
  const { cells, times } = compare(operation, side, { figure, against, shown }, sides);
  if (goal === undefined) return [...cells, '', ''];
  return [...cells, `≥ ${goal}×`, times === undefined ? '' : yesIf(times >= goal)];
}

const yesIf = (isMet) => (isMet ? 'yes' : 'no');

/** The cells up to the ratio, and how many times as good ours is, where the other side took part. */
function compare(operation, { name, figures }, { figure, against, shown }, sides) {
  const ours = figures[figure];
  const other = sides.find((side) => side.name === against)?.figures[figure];
  const times = other && timesAsGood(figure, ours, other);
  const beside = other
    ? [`${shown(against)} ${withUnit(figure, other)}`, `${times.toFixed(2)}×`]
    : ['', ''];
  return { cells: [shortly(operation), name, withUnit(figure, ours), ...beside], ours, times };
}

/** What comes before a colon or a parenthesis. */
const shortly = (text) => text.split(/: | \(/)[0];

/** One row with all its sides and figures. */
export function detail({ name, operation, sides, note }) {
  const figures = FIGURES.filter((figure) => sides.some((side) => figure in side.figures));
  const lines = sides.map((side) => [
    side.isOther ? side.name : `ours, ${side.name}`,
    ...figures.map((figure) =>
      side.figures[figure] ? withSpread(figure, side.figures[figure]) : '',
    ),
  ]);
  const head = ['side', ...figures.map(titleOf)];
  return [`## ${name}`, operation, table(head, lines), note].filter(Boolean).join('\n\n');
}
