import type { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/platform';

/** The upper limit of a count, because the figures are read every few seconds. */
const MOST_COUNTED = 100_000;

const count = (condition: string) =>
  `(SELECT COUNT(*) FROM (SELECT 1 FROM outbox_events WHERE ${condition} LIMIT ${MOST_COUNTED}) AS given)`;

const FIGURES = new PreparedStatement(
  'outbox-figures',
  ({ now }) => `
  SELECT ${count('dead_at IS NULL')} AS waiting, ${count('dead_at > 0')} AS dead,
    ${now} - (SELECT created_at FROM outbox_events WHERE dead_at IS NULL ORDER BY id LIMIT 1) AS age`,
);

export interface OutboxFigures {
  /** At most 100,000; the same limit holds for `dead`. */
  readonly waiting: number;
  readonly dead: number;
  /** The age of the event that has waited longest; 0 when none waits. */
  readonly oldestAgeMs: number;
}

export async function readOutboxFigures(dataSource: DataSource): Promise<OutboxFigures> {
  const { rows } = await FIGURES.run(dataSource, []);
  const { waiting, dead, age } = rows[0] ?? {};
  return { waiting: Number(waiting), dead: Number(dead), oldestAgeMs: Math.max(0, Number(age)) };
}
