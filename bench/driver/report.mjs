// The results as Markdown, for bench/RESULTS.md.
import { FIGURES, goalText, judged, ratio, titleOf, withSpread, withUnit } from './figures.mjs';

const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Figures to compare by: those with a goal, or the first of them. */
const headlines = ({ figures, goals = {} }) => {
  const wanted = Object.keys(figures).filter((figure) => figure in goals);
  return wanted.length > 0 ? wanted : Object.keys(figures).slice(0, 1);
};

/**
 * A line for each of our figures that has a goal, and the first figure where none has. `results` are rows whose sides
 * have their `figures`.
 */
export function summary(results) {
  const lines = results.flatMap(({ operation, sides }) =>
    sides
      .filter(({ isOther }) => !isOther)
      .flatMap((side) => headlines(side).map((figure) => line(operation, side, figure, sides))),
  );
  return table(['operation', 'on', 'ours', 'other side', 'ratio', 'goal', 'met'], lines);
}

function line(operation, { name, figures, goals = {}, against }, figure, sides) {
  const ours = figures[figure];
  const other = sides.find((side) => side.name === against)?.figures[figure];
  return [
    shortly(operation),
    name,
    withUnit(figure, ours),
    other ? `${shortly(against)} ${withUnit(figure, other)}` : '',
    other ? ratio(figure, ours, other) : '',
    goalText(figure, goals[figure]?.[0]),
    judged(figure, ours, goals[figure]),
  ];
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
