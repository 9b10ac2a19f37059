import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SecurityEventType } from '#libs/accounts';
import { type Activity, ActivityReader } from '#libs/own-account';
import { PERSONAL } from './personal-events.js';

/**
 * In the index `audit_events_activity`, whatever the apps of the account do. A sign-in that was refused since the
 * account was disabled is for those who run the service.
 */
export const NEWEST = `
  SELECT type, at, last_at, app, client_id, browser FROM audit_events
  WHERE user_id = $1 AND ${PERSONAL} AND type <> 'sign-in-failed' ORDER BY id DESC LIMIT 100`;

/** The activity of an account as the audit trail has it: a moment after it happened. */
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

/** Rows from before apps were kept have the client's id in its place. */
const toActivity = (row: Record<string, unknown>): Activity => ({
  type: row['type'] as SecurityEventType,
  at: Number(row['last_at'] ?? row['at']),
  app: textOrNull(row['app'] || row['client_id']),
  browser: textOrNull(row['browser']),
});

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
