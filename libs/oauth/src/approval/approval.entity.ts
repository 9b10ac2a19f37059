import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { wholeNumber } from '#libs/platform';
import { GrantEntity } from '../grant/grant.entity.js';

/** `once` is good for one call, `always` also for later ones, which then need no request. */
export type ApprovalState = 'open' | 'once' | 'always' | 'no' | 'expired';

/** A call that its person decides about: a request, as routes and pages call it. */
@Entity('oauth_approvals')
@Index('oauth_approvals_open', ['grantId', 'callHash'], { unique: true, where: "state = 'open'" })
@Index('oauth_approvals_call', ['grantId', 'callHash', 'createdAt'])
@Index('oauth_approvals_user', ['userId', 'state', 'createdAt'])
export class ApprovalEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('varchar', { name: 'grant_id', length: 64 })
  grantId!: string;

  @ManyToOne(() => GrantEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'grant_id', foreignKeyConstraintName: 'oauth_approvals_grant_id' })
  grant!: GrantEntity;

  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** Of method, name and canonical arguments: one call has one open request. */
  @Column('varchar', { name: 'call_hash', length: 43 })
  callHash!: string;

  /** `permission` where the scope is `off`. */
  @Column('varchar', { length: 10 })
  kind!: 'call' | 'permission';

  @Column('varchar', { length: 128 })
  scope!: string;

  @Column('varchar', { length: 20 })
  method!: string;

  @Column('text')
  name!: string;

  @Column('text')
  title!: string;

  /** The tab that the person was shown, the only one that the call may use. */
  @Column('varchar', { length: 64, nullable: true })
  tab!: string | null;

  /** Title and address of the page, a JSON object. */
  @Column('text', { nullable: true })
  page!: string | null;

  /** JSON of at most 4 KiB; null once the request has ended. */
  @Column('text', { nullable: true })
  arguments!: string | null;

  @Column('boolean', { name: 'is_truncated', default: false })
  isTruncated!: boolean;

  @Column('boolean', { name: 'needs_passkey', default: false })
  needsPasskey!: boolean;

  /** False where the tool itself asks for a passkey each time. */
  @Column('boolean', { name: 'may_allow_always', default: true })
  mayAllowAlways!: boolean;

  @Column('varchar', { length: 8 })
  state!: ApprovalState;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  /** When it ends unless it is decided before. */
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;

  @Column('bigint', { name: 'decided_at', nullable: true, transformer: wholeNumber })
  decidedAt!: number | null;

  /** When its one call ran. */
  @Column('bigint', { name: 'spent_at', nullable: true, transformer: wholeNumber })
  spentAt!: number | null;

  @Column('boolean', { name: 'by_passkey', default: false })
  isByPasskey!: boolean;

  @Index('oauth_approvals_sweep_at')
  @Column('bigint', { name: 'sweep_at', transformer: wholeNumber })
  sweepAt!: number;
}
