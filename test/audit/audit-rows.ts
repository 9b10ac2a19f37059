import { AdminApi } from '../support/admin-api.js';
import { eventually } from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';

/** A row of the audit trail, as administration returns it. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly user: string | null;
  readonly client: string | null;
  readonly grant: string | null;
  readonly origin: string | null;
  readonly detail: string | null;
  readonly count: number;
  readonly network: string | null;
  readonly request: string | null;
  readonly name: string | null;
  readonly reason: string | null;
}

/** The rows of an account, of a type or of a client, in the order in which they were written. */
export async function auditRows(
  gatehouse: Pick<Gatehouse, 'app'>,
  filter: Readonly<Partial<Record<'user' | 'type' | 'client', string>>>,
): Promise<AuditRow[]> {
  const query = new URLSearchParams({ ...filter, limit: '1000' });
  const path = `audit?${query}`;
  const { items } = await new AdminApi(gatehouse).json<{ items: AuditRow[] }>('GET', path);
  return items.toReversed();
}

/** Like `auditRows`, once there are at least `count` of them. */
export const auditRowsOnce = (
  count: number,
  ...[gatehouse, filter]: Parameters<typeof auditRows>
): Promise<AuditRow[]> =>
  eventually(async () => {
    const rows = await auditRows(gatehouse, filter);
    expect(rows.length).toBeGreaterThanOrEqual(count);
    return rows;
  });
