import type { SecurityEvent } from '#libs/accounts';
import type { AuditEventEntity } from './audit-event.entity.js';

export interface PendingRow {
  readonly row: AuditEventEntity;
  /** The count last written to the database; 0 before the row is inserted. */
  writtenCount: number;
  /** The count of its last event in the outbox, which was written with the row; 0 before the first. */
  toldCount: number;
}

export const pendingRow = (row: AuditEventEntity): PendingRow => ({
  row,
  writtenCount: 0,
  toldCount: 0,
});

/** A row that counts events like its first one until `endsAt`, in epoch milliseconds. */
interface Tally extends PendingRow {
  readonly key: string;
  readonly endsAt: number;
}

type Spent = NonNullable<SecurityEvent['spent']>;

/** Rows that stand for several events. A tally is kept until its window has ended and its full count is written and told. */
export class AuditCounters {
  private readonly kept = new Set<Tally>();
  private readonly open = new Map<string, Tally>();

  get size() {
    return this.kept.size;
  }

  /** Counts an event on the key's open tally and returns it; undefined when no tally is open. */
  count(
    key: string,
    now: number,
    browser: string | null,
    spent: Spent | undefined,
  ): Tally | undefined {
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

  /** Opens a tally for the key with the row of its first event. */
  begin(key: string, endsAt: number, row: AuditEventEntity): Tally {
    const tally = { ...pendingRow(row), key, endsAt };
    this.kept.add(tally);
    this.open.set(key, tally);
    return tally;
  }

  /** Tallies whose count has grown since the last write. */
  unwritten(): Tally[] {
    return [...this.kept].filter(({ row, writtenCount }) => row.count !== writtenCount);
  }

  /** Tallies whose count has grown since the last event in the outbox. */
  untold(): Tally[] {
    return [...this.kept].filter(({ row, toldCount }) => row.count !== toldCount);
  }

  /** Removes and returns the tallies whose window has ended and whose full count is written and told. */
  takeOver(now: number): Tally[] {
    const over = [...this.kept].filter(
      ({ row, toldCount, endsAt }) => endsAt <= now && row.count === toldCount,
    );
    for (const tally of over) {
      this.kept.delete(tally);
      if (this.open.get(tally.key) === tally) this.open.delete(tally.key);
    }
    return over;
  }
}
