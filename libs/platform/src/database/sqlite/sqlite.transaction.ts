import type { SqliteConnection } from './sqlite.connection.js';
import { type Change, parseStatement, type Outcome, type Statement } from './statement.js';

const BEGIN = parseStatement('BEGIN');
const COMMIT = parseStatement('COMMIT');
const ROLLBACK = parseStatement('ROLLBACK');

/**
 * A transaction that has begun on the writing connection. Statements run in the order they are passed. Commit and
 * rollback always end it: `onEnded` is called once, with whether the connection is known to be outside any
 * transaction.
 */
export class SqliteTransaction {
  private readonly connection: SqliteConnection;
  private readonly onEnded: (clean: boolean) => Promise<void>;
  private latest: Promise<unknown> = Promise.resolve();
  private rolledBack: Error | undefined;
  private ended = false;

  constructor(connection: SqliteConnection, onEnded: (clean: boolean) => Promise<void>) {
    this.connection = connection;
    this.onEnded = onEnded;
  }

  /** Runs all statements, or only the first one when it changes no row; resolves with the outcome of the first. */
  execute(...[first, ...others]: Change): Promise<Outcome> {
    return this.inOrder(async () => {
      const outcome = await this.run(first);
      if (outcome.changes !== 0) for (const other of others) await this.run(other);
      return outcome;
    });
  }

  /** When it rejects, nothing was committed, and the transaction is over all the same. */
  commit(): Promise<void> {
    return this.inOrder(() => this.keep());
  }

  /** Never rejects; does nothing when the transaction is over. */
  rollback(): Promise<void> {
    return this.inOrder(() => this.undo());
  }

  /**
   * Some failures (a full disk, ON CONFLICT ROLLBACK) make SQLite roll everything back by itself. All further
   * statements and the commit are then refused, because they would run outside a transaction.
   */
  private async run(statement: Statement): Promise<Outcome> {
    this.refuseWhenOver();
    try {
      return await this.connection.execute(statement);
    } catch (error) {
      if (await this.wasRolledBack()) this.rolledBack = rolledBackBy(error);
      throw error;
    }
  }

  private async keep(): Promise<void> {
    try {
      this.refuseWhenOver();
      await this.connection.execute(COMMIT);
    } catch (error) {
      await this.undo();
      throw error;
    }
    await this.end(true);
  }

  private async undo(): Promise<void> {
    if (this.ended) return;
    const clean = await this.connection.execute(ROLLBACK).then(
      () => true,
      (error: unknown) => String(error).includes('no transaction is active'),
    );
    await this.end(clean);
  }

  private async end(clean: boolean): Promise<void> {
    this.ended = true;
    await this.onEnded(clean);
  }

  /** SQLite refuses a BEGIN only inside a transaction. If it accepts this one, `undo` rolls it back. */
  private async wasRolledBack(): Promise<boolean> {
    return this.connection.execute(BEGIN).then(
      () => true,
      (error: unknown) => !String(error).includes('within a transaction'),
    );
  }

  private refuseWhenOver(): void {
    if (this.rolledBack) throw this.rolledBack;
    if (this.ended) throw new Error('The transaction is over');
  }

  private inOrder<T>(task: () => Promise<T>): Promise<T> {
    const result = this.latest.then(task);
    this.latest = result.catch(() => undefined);
    return result;
  }
}

function rolledBackBy(cause: unknown): Error {
  return new Error('SQLite rolled the transaction back after an earlier failure', { cause });
}
