import type { SecurityEvent } from '#libs/accounts';
import type { CountedRow, Tally } from './audit-row.js';

type Spent = NonNullable<SecurityEvent['spent']>;

/**
 * Rows that stand for several events. A tally is kept until its time is over and the database has its
 * whole count.
 */
export class AuditTallies<Row extends CountedRow> {
  private readonly kept = new Set<Tally<Row>>();
  private readonly open = new Map<string, Tally<Row>>();

  get size() {
    return this.kept.size;
  }

  /** Counts one more event on the open tally of that key, which is returned; undefined when there is none. */
  count(
    key: string,
    now: number,
    browser: string | null,
    spent: Spent | undefined,
  ): Tally<Row> | undefined {
    const tally = this.open.get(key);
    if (!tally || tally.endsAt <= now) return undefined;
    const { row } = tally;
    row.count += 1;
    row.lastAt = now;
    row.browser = browser;
    if (!spent) return tally;
    row.credits = (row.credits ?? 0) + spent.credits;
    row.durationMs = (row.durationMs ?? 0) + spent.durationMs;
    return tally;
  }

  /** Opens the tally of that key with a row that stands for its first event. */
  begin(key: string, endsAt: number, row: Row): Tally<Row> {
    const tally = { key, endsAt, row, writtenCount: 0 };
    this.kept.add(tally);
    this.open.set(key, tally);
    return tally;
  }

  /** Those whose count grew since they were written. */
  changed(): Tally<Row>[] {
    return [...this.kept].filter(({ row, writtenCount }) => row.count !== writtenCount);
  }

  /** Removes those that are over and written, and returns them. */
  takeOver(now: number): Tally<Row>[] {
    const over = [...this.kept].filter(
      ({ row, writtenCount, endsAt }) => endsAt <= now && row.count === writtenCount,
    );
    for (const tally of over) {
      this.kept.delete(tally);
      if (this.open.get(tally.key) === tally) this.open.delete(tally.key);
    }
    return over;
  }
}
