import { ConnectionIsNotSetError } from 'typeorm';
import type { SqliteConnection } from './sqlite.connection.js';
import { SqliteTransaction } from './sqlite.transaction.js';
import { parseStatement, type Outcome, type Statement } from './statement.js';
import type { EndTurn, Turns } from './write-lock.js';

const BEGIN_IMMEDIATE = parseStatement('BEGIN IMMEDIATE');

/**
 * The writing connection. Whoever writes takes a turn and waits for it at most `waitMs`
 * (TurnTimeoutError). A connection that may still be inside a transaction is never handed on: it is
 * closed, and the next turn opens another.
 */
export class SqliteWriter {
  private readonly open: () => Promise<SqliteConnection>;
  private readonly turns: Turns;
  private readonly waitMs: number;
  private connection: SqliteConnection | undefined;
  private closing = false;

  constructor(open: () => Promise<SqliteConnection>, turns: Turns, waitMs: number) {
    this.open = open;
    this.turns = turns;
    this.waitMs = waitMs;
  }

  async execute(statement: Statement): Promise<Outcome> {
    const endTurn = await this.takeTurn();
    try {
      const connection = await this.connected();
      return await connection.execute(statement);
    } finally {
      endTurn();
    }
  }

  /** Holds the turn until the transaction is over. */
  async begin(checkForeignKeys: boolean): Promise<SqliteTransaction> {
    const endTurn = await this.takeTurn();
    try {
      const connection = await this.connected();
      if (!checkForeignKeys) await connection.pragma('foreign_keys = OFF');
      await connection.execute(BEGIN_IMMEDIATE);
      return new SqliteTransaction(connection, (clean) =>
        this.handOn(endTurn, clean && checkForeignKeys),
      );
    } catch (error) {
      await this.handOn(endTurn, false);
      throw error;
    }
  }

  /** Lets the turns already asked for pass, but no longer than `waitMs`, then closes. */
  async close(): Promise<void> {
    this.closing = true;
    const endTurn = await this.turns.take(this.waitMs).catch(() => undefined);
    const connection = this.connection;
    this.connection = undefined;
    try {
      await connection?.close();
    } finally {
      endTurn?.();
    }
  }

  private async takeTurn(): Promise<EndTurn> {
    if (this.closing) throw new ConnectionIsNotSetError('sqlite');
    return this.turns.take(this.waitMs);
  }

  private async connected(): Promise<SqliteConnection> {
    if (this.connection) return this.connection;
    if (this.closing) throw new ConnectionIsNotSetError('sqlite');
    this.connection = await this.open();
    return this.connection;
  }

  private async handOn(endTurn: EndTurn, reusable: boolean): Promise<void> {
    try {
      if (!reusable) await this.discard();
    } finally {
      endTurn();
    }
  }

  private async discard(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}
