// The results as Markdown: what README shows, and all of it for bench/RESULTS.md.
import { FIGURES, goalText, judged, medianOf, ratio, titleOf, withSpread } from './figures.mjs';

const table = (head, lines) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Figures to compare by: those with a goal, or the first of them. */
const headlines = ({ figures, goals = {} }) => {
  const wanted = Object.keys(figures).filter((figure) => figure in goals);
  return wanted.length > 0 ? wanted : Object.keys(figures).slice(0, 1);
};

/** A line for each of our figures that has a goal. `results` are `{ operation, sides }`, a side with its `figures`. */
export function summary(results) {
  const lines = results.flatMap(({ operation, sides }) =>
    sides
      .filter(({ isOther }) => !isOther)
      .flatMap((side) => headlines(side).map((figure) => line(operation, side, figure, sides))),
  );
  const head = ['operation', 'on', 'figure', 'ours', 'other side', 'ratio', 'goal', 'met'];
  return table(head, lines);
}

function line(operation, { name, figures, goals = {}, against }, figure, sides) {
  const ours = figures[figure];
  const other = sides.find((side) => side.name === against)?.figures[figure];
  const [goal, stretch] = goals[figure] ?? [];
  const goalsText = [goal, stretch].map((one) => goalText(figure, one)).filter(Boolean);
  return [
    operation.split(':')[0],
    name,
    titleOf(figure),
    medianOf(figure, ours),
    other ? `${against.split(',')[0]} ${medianOf(figure, other)}` : '',
    other ? ratio(figure, ours, other) : '',
    goalsText.join(', '),
    judged(figure, ours, goals[figure]),
  ];
}

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
