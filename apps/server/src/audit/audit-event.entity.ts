import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SecurityEventType } from '#libs/accounts';
import { wholeNumber } from '#libs/platform';

/**
 * What an account's activity list leaves out: under what apps do by themselves everything else would be buried, and
 * refusals of an account are for operators.
 */
const NOT_PERSONAL: readonly SecurityEventType[] = [
  'tool-called',
  'code-exchanged',
  'token-refreshed',
  'token-revoked',
  'grant-replaced',
  'consent-denied',
  'consent-refused',
  'call-refused',
  'token-refused',
  'sign-in-failed',
  'managed-access-refused',
];

export const isPersonal = (type: SecurityEventType) => !NOT_PERSONAL.includes(type);

/** All other types; the same text as in the index `audit_events_personal`: changing it needs a migration. */
export const PERSONAL = `type NOT IN (${NOT_PERSONAL.map((type) => `'${type}'`).join(', ')})`;

/** The calls of connections; the same text as in the index `audit_events_calls`. */
export const CALLS = "type = 'tool-called' AND grant_id IS NOT NULL";

/** A row of the audit trail: one event, or several events of one type. Times are epoch milliseconds. */
@Entity('audit_events')
@Index('audit_events_user', ['userId', 'id'])
@Index('audit_events_client', ['clientId', 'id'])
@Index('audit_events_type', ['type', 'id'])
@Index('audit_events_actor', ['actor', 'id'], { where: 'actor IS NOT NULL' })
@Index('audit_events_network', ['network', 'id'], { where: 'network IS NOT NULL' })
@Index('audit_events_personal', ['userId', 'id'], { where: PERSONAL })
@Index('audit_events_calls', ['grantId', 'id', 'at', 'lastAt', 'count'], { where: CALLS })
export class AuditEventEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** When the event happened; for several, the first of them. */
  @Index('audit_events_at')
  @Column('bigint', { transformer: wholeNumber })
  at!: number;

  @Column('varchar', { length: 32 })
  type!: SecurityEventType;

  /** The account that the event is about. The row outlives the account, so this is not a foreign key. */
  @Column('varchar', { name: 'user_id', length: 64, nullable: true })
  userId!: string | null;

  @Column('varchar', { name: 'client_id', length: 2048, nullable: true })
  clientId!: string | null;

  @Column('varchar', { name: 'grant_id', length: 128, nullable: true })
  grantId!: string | null;

  /** The name that the client gave itself. */
  @Column('varchar', { length: 80, nullable: true })
  app!: string | null;

  /** The browser in words, for an event of an account that a browser caused; for several, the last one. */
  @Column('varchar', { length: 60, nullable: true })
  browser!: string | null;

  @Column('varchar', { length: 300 })
  origin!: string;

  /** The operator who acted; null for events that no operator caused. */
  @Column('varchar', { length: 64, nullable: true })
  actor!: string | null;

  /** The id of the request; for several events, of the first. */
  @Index('audit_events_request')
  @Column('varchar', { name: 'request_id', length: 64, nullable: true })
  requestId!: string | null;

  /** Why the request was refused, or what was done. */
  @Column('varchar', { length: 200, nullable: true })
  detail!: string | null;

  /** The facts of `detail` as separate values: EventFacts as JSON. */
  @Column('text', { nullable: true })
  facts!: string | null;

  @Column('integer', { default: 1 })
  count!: number;

  /** When the last of several happened. */
  @Column('bigint', { name: 'last_at', transformer: wholeNumber, nullable: true })
  lastAt!: number | null;

  /** The total cost of tool calls, in credits. */
  @Column('bigint', { transformer: wholeNumber, nullable: true })
  credits!: number | null;

  /** The total duration of tool calls. */
  @Column('bigint', { name: 'duration_ms', transformer: wholeNumber, nullable: true })
  durationMs!: number | null;

  /** For events without an account: a keyed hash of the client's network, never its address. */
  @Column('varchar', { length: 22, nullable: true })
  network!: string | null;

  @Index('audit_events_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}
