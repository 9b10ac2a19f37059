import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CallKind, EventFacts } from '#libs/accounts';
import { type ConnectionCall, ConnectionCalls } from '#libs/oauth';
import {
  column,
  type Dialect,
  pageOf,
  PreparedStatement,
  READS_MUCH,
  type Row,
  unknownPage,
} from '#libs/platform';
import { CALLS } from './audit-event.entity.js';
import { firstIdOf } from './audit-reader.store.js';

const PAGE = 100;
const MOST = 1000;
const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Above every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** SQLite would rather take an index of the type, which most rows have. */
const callsOn = ({ type }: Dialect) =>
  type === 'sqlite' ? 'audit_events INDEXED BY audit_events_calls' : 'audit_events';

/**
 * A range on Postgres: of an equal `grant_id` the primary key has the order too, and Postgres would search it from its
 * end for a connection that made many calls long ago.
 */
const findCalls = (name: string, limit: number, more: (dialect: Dialect) => string = () => '') =>
  new PreparedStatement<'connection' | 'before' | 'tool'>(
    name,
    (dialect) => `
      SELECT id, at, last_at, count, facts, credits, duration_ms FROM ${callsOn(dialect)}
      WHERE ${CALLS} AND grant_id ${dialect.type === 'postgres' ? '>=' : '='} :connection
        AND (grant_id, id) < (:connection, :before) ${more(dialect)}
      ORDER BY grant_id DESC, id DESC LIMIT ${limit + 1}`,
  );

/** Two, because Postgres does not plan by the value of a limit. */
const FIND_CALLS = findCalls('connection-calls', PAGE);
const FIND_MANY_CALLS = findCalls('many-connection-calls', MOST);

const FIND_CALLS_OF_TOOL = findCalls('connection-calls-of-tool', PAGE, ({ type }) => {
  const facts = type === 'postgres' ? 'CAST(facts AS json)' : 'facts';
  return `${READS_MUCH} AND COALESCE(${facts} ->> 'name', ${facts} ->> 'tool') = :tool`;
});

const FIND_CALL = new PreparedStatement<'connection' | 'id'>(
  'connection-call',
  `SELECT 1 FROM audit_events WHERE id = :id AND grant_id = :connection AND ${CALLS}`,
);

const COUNT_BY_DAY = new PreparedStatement<'connection' | 'first'>(
  'connection-days',
  (dialect) => `
    SELECT ${READS_MUCH} at / ${DAY_MS} AS day, SUM(count) AS calls FROM ${callsOn(dialect)}
    WHERE ${CALLS} AND grant_id = :connection AND id >= :first GROUP BY 1`,
);

/**
 * One search of the index for each connection. Postgres takes a list from JSON for a hundred, and would compile the
 * statement for longer than it runs.
 */
const SUM_UP = new PreparedStatement<'connections' | 'count' | 'first'>(
  'connection-summaries',
  (dialect) => {
    const sums = 'SUM(count) AS calls, MAX(COALESCE(last_at, at)) AS last_at';
    const ofListed = `WHERE ${CALLS} AND grant_id = listed.value AND id >= :first`;
    return dialect.type === 'postgres'
      ? `SELECT listed.value AS grant_id, calls, last_at FROM
           (SELECT unnest(CAST(:connections AS text[])) AS value LIMIT CAST(:count AS integer)) AS listed,
           LATERAL (SELECT ${sums} FROM audit_events ${ofListed}) AS sums WHERE calls > 0`
      : `SELECT ${READS_MUCH} grant_id, ${sums} FROM (SELECT value FROM ${dialect.listed(':connections')}) AS listed CROSS JOIN ${callsOn(dialect)} ${ofListed}
         GROUP BY grant_id`;
  },
);

/** The calls of connections, as the audit trail has them. */
@Injectable()
export class AuditConnectionCalls extends ConnectionCalls {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async page(
    connection: string,
    {
      before,
      tool = null,
      limit = PAGE,
    }: { readonly before?: string; readonly tool?: string | null; readonly limit?: number } = {},
  ) {
    if (before !== undefined) await this.expectCall(connection, before);
    const values = { connection, before: before ?? LAST_ID, tool };
    const find = limit > PAGE ? FIND_MANY_CALLS : FIND_CALLS;
    const { rows } = await (tool === null ? find : FIND_CALLS_OF_TOOL).run(this.dataSource, values);
    const { items, next } = pageOf(rows.slice(0, limit + 1).map(toCall), limit);
    return { calls: items, next };
  }

  override async days(connection: string) {
    const today = Math.floor(Date.now() / DAY_MS);
    const first = firstIdOf((today - DAYS + 1) * DAY_MS);
    const { rows } = await COUNT_BY_DAY.run(this.dataSource, { connection, first });
    const calls = new Map(
      rows.map((row) => [column.number(row, 'day'), column.number(row, 'calls')]),
    );
    return Array.from({ length: DAYS }, (_, n) => {
      const day = today - DAYS + 1 + n;
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return { day: date, calls: calls.get(day) ?? 0 };
    });
  }

  override async summary(connections: readonly string[]) {
    const first = firstIdOf(Date.now() - DAYS * DAY_MS);
    const isPostgres = this.dataSource.options.type === 'postgres';
    const list = isPostgres ? connections : JSON.stringify(connections);
    const values = { connections: list, count: connections.length, first };
    const { rows } = await SUM_UP.run(this.dataSource, values);
    return new Map(
      rows.map((row) => [
        column.text(row, 'grant_id'),
        { calls: column.number(row, 'calls'), lastAt: column.number(row, 'last_at') },
      ]),
    );
  }

  private async expectCall(connection: string, id: string) {
    const { rows } = await FIND_CALL.run(this.dataSource, { connection, id });
    if (rows.length === 0) throw unknownPage();
  }
}

function toCall(row: Row): ConnectionCall {
  const facts = JSON.parse(column.textOrNull(row, 'facts') ?? '{}') as EventFacts;
  const at = column.number(row, 'at');
  const name = facts.name ?? facts.tool ?? null;
  return {
    id: column.text(row, 'id'),
    at,
    lastAt: column.numberOrNull(row, 'last_at') ?? at,
    count: column.number(row, 'count'),
    kind: facts.kind ?? kindOfLabel(name),
    name,
    title: facts.title ?? name,
    page: facts.page === undefined ? null : { host: facts.page, title: facts.pageTitle ?? '' },
    outcome: facts.outcome ?? null,
    credits: column.numberOrNull(row, 'credits') ?? 0,
    durationMs: column.numberOrNull(row, 'duration_ms') ?? 0,
    approved: facts.approved ?? null,
  };
}

/** Rows of earlier versions have only `resource <name>`, `prompt <name>` or the name of a tool. */
function kindOfLabel(label: string | null): CallKind | null {
  const [, kind = 'tool'] = /^(resource|prompt) /.exec(label ?? '') ?? [];
  return label === null ? null : (kind as CallKind);
}
