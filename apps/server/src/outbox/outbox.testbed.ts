import type { DataSource } from 'typeorm';
import { v7 as nextTimeOrderedId } from 'uuid';
import { AuditEventEntity } from '../audit/audit-event.entity.js';
import { insertAuditRows } from '../audit/audit.store.js';
import { auditMigrations } from '../audit/audit-migrations.js';
import { OutboxEventEntity, OutboxQueueEntity } from './outbox.entity.js';
import { outboxMigrations } from './outbox-migrations.js';

export const outboxSchema = {
  entities: [AuditEventEntity, OutboxEventEntity, OutboxQueueEntity],
  migrations: [...auditMigrations, ...outboxMigrations],
};

/** An audit row of the given account, or of none. */
export const auditRow = (
  userId: string | null,
  more: Partial<AuditEventEntity> = {},
): AuditEventEntity => ({
  id: nextTimeOrderedId(),
  at: Date.now(),
  type: 'sign-in',
  userId,
  clientId: null,
  grantId: null,
  app: null,
  browser: 'Firefox on Linux',
  origin: 'https://gate.example',
  actor: null,
  requestId: null,
  detail: null,
  facts: null,
  credits: null,
  durationMs: null,
  count: 1,
  lastAt: null,
  network: null,
  expiresAt: Date.now() + 1_000_000,
  ...more,
});

/** Writes one event for each of these accounts, in this order; returns their ids. */
export async function tell(dataSource: DataSource, ...users: (string | null)[]): Promise<string[]> {
  const rows = users.map((userId) => auditRow(userId));
  await insertAuditRows(dataSource, rows, ['']);
  return rows.map(({ id }) => id);
}

/** Removes all waiting events. */
export async function emptyOutbox({ manager }: DataSource): Promise<void> {
  for (const entity of [OutboxEventEntity, OutboxQueueEntity]) {
    await manager.createQueryBuilder().delete().from(entity).execute();
  }
}
