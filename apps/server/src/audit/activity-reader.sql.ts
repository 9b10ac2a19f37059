import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Activity, ActivityReader, type SecurityEventType } from '#libs/accounts';
import { PERSONAL } from './personal-events.js';

/**
 * Served by the index `audit_events_activity`, so its cost does not depend on how many events the account's apps
 * cause. Sign-ins refused because the account was disabled are left out: those rows are for operators.
 */
export const NEWEST = `
  SELECT type, at, last_at, app, client_id, browser FROM audit_events
  WHERE user_id = $1 AND ${PERSONAL} AND type <> 'sign-in-failed' ORDER BY id DESC LIMIT 100`;

/** Reads an account's activity from the audit trail, which has each event a moment after it happened. */
@Injectable()
export class AuditActivityReader extends ActivityReader {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async list(userId: string): Promise<readonly Activity[]> {
    const rows = await this.dataSource.query<Record<string, unknown>[]>(NEWEST, [userId]);
    return rows.map(toActivity).toSorted((one, other) => other.at - one.at);
  }
}

/** Rows from before the `app` column existed hold the client's id in its place. */
const toActivity = (row: Record<string, unknown>): Activity => ({
  type: row['type'] as SecurityEventType,
  at: Number(row['last_at'] ?? row['at']),
  app: textOrNull(row['app'] || row['client_id']),
  browser: textOrNull(row['browser']),
});

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
