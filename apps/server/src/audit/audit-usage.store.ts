import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { column, PreparedStatement, type Row } from '#libs/platform';
import { firstIdOf } from './audit-reader.store.js';

const MOST = 1_000;

/**
 * By the index of the account or the client, from the first id of the time on. `type` is an expression: most rows of the
 * index of types are calls.
 */
const sumUp = (holder: 'user_id' | 'client_id') =>
  new PreparedStatement<'holder' | 'since' | 'first'>(`usage-by-${holder}`, ({ type }) => {
    const facts = type === 'postgres' ? 'CAST(facts AS json)' : 'facts';
    const sumOf = (outcome: string) =>
      `SUM(CASE WHEN ${facts} ->> 'outcome' = '${outcome}' THEN count ELSE 0 END) AS ${outcome}`;
    return `
      SELECT client_id, MAX(app) AS app, ${facts} ->> 'kind' AS kind,
        COALESCE(${facts} ->> 'name', ${facts} ->> 'tool') AS name, SUM(count) AS calls,
        ${sumOf('refused')}, ${sumOf('failed')}, COALESCE(SUM(credits), 0) AS credits,
        COALESCE(SUM(duration_ms), 0) AS duration_ms, MAX(COALESCE(last_at, at)) AS last_at
      FROM audit_events
      WHERE ${holder} = :holder AND id >= :first AND type || '' = 'tool-called'
        AND COALESCE(last_at, at) >= :since
      GROUP BY 1, 3, 4 ORDER BY calls DESC, client_id, name LIMIT ${MOST}`;
  });

const BY = { user: sumUp('user_id'), client: sumUp('client_id') };

/** Rows of the trail are of one UTC day, an hour or less: one that began before may have counted since. */
const LONGEST_ROW_MS = 60 * 60 * 1000;

@Injectable()
export class AuditUsage {
  constructor(private readonly dataSource: DataSource) {}

  /** The most used first, 1,000 at most; a row of several calls counts whole where the last of them was since. */
  async list(by: keyof typeof BY, holder: string, since: number) {
    const first = firstIdOf(Math.max(0, since - LONGEST_ROW_MS));
    const { rows } = await BY[by].run(this.dataSource, { holder, since, first });
    return rows.map(toUsage);
  }
}

/** What one app did with one tool, resource or prompt; times are epoch milliseconds. */
const toUsage = (row: Row) => ({
  client: column.textOrNull(row, 'client_id'),
  /** What the client calls itself; null for calls of earlier versions alone. */
  app: column.textOrNull(row, 'app'),
  kind: column.textOrNull(row, 'kind'),
  name: column.textOrNull(row, 'name'),
  calls: column.number(row, 'calls'),
  /** Those of the calls that were refused or failed. */
  refused: column.number(row, 'refused'),
  failed: column.number(row, 'failed'),
  credits: column.number(row, 'credits'),
  durationMs: column.number(row, 'duration_ms'),
  lastAt: column.number(row, 'last_at'),
});

export type Usage = ReturnType<typeof toUsage>;
