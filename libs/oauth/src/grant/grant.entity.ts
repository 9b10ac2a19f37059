import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { UserEntity } from '#libs/accounts';
import { wholeNumber } from '#libs/platform';

/** An app that a user connected. Revoked grants stay until they expire, so that replays are detected. */
@Entity('oauth_grants')
@Index('oauth_grants_user_active', ['userId', 'revokedAt', 'clientId'])
@Index('oauth_grants_client', ['clientId', 'createdAt'])
@Index('oauth_grants_published', ['clientId'], { where: 'published IS NOT NULL' })
export class GrantEntity {
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'oauth_grants_user' })
  user!: UserEntity;

  @Column('varchar', { name: 'client_id', length: 512 })
  clientId!: string;

  /** The issuer of the grant; only requests to this origin may use it. */
  @Column('varchar', { length: 300 })
  origin!: string;

  /** The identifier of the resource that its tokens are for; null for `/svc/mcp` of its origin. */
  @Column('varchar', { length: 512, nullable: true })
  resource!: string | null;

  /** All scopes that were ever given to it: at the consent, later, or by the trusted issuer. */
  @Column('text')
  scope!: string;

  /** Which of them are not simply allowed, a JSON object of scope and word; null for none. */
  @Column('text', { nullable: true })
  permissions!: string | null;

  /** Whether calls without their permission become requests to the person. */
  @Column('boolean', { name: 'may_ask', default: true })
  mayAsk!: boolean;

  @Column('boolean', { name: 'paused_by_person', default: false })
  isPausedByPerson!: boolean;

  @Column('boolean', { name: 'paused_by_administrator', default: false })
  isPausedByAdministrator!: boolean;

  /** The most that it may charge to the account's budget on a UTC day; null for no limit of its own. */
  @Column('integer', { name: 'daily_credits', nullable: true })
  dailyCredits!: number | null;

  /** When it ends at the latest, if its person or an administrator said so; `expiresAt` is never later. */
  @Column('bigint', { name: 'ends_at', nullable: true, transformer: wholeNumber })
  endsAt!: number | null;

  @Column('varchar', { length: 80 })
  app!: string;

  @Column('varchar', { name: 'redirect_host', length: 260, nullable: true })
  redirectHost!: string | null;

  /** All redirect hosts of the client at its last use, a JSON array; null where an earlier version wrote it. */
  @Column('text', { name: 'client_hosts', nullable: true })
  clientHosts!: string | null;

  @Column('varchar', { length: 260, nullable: true })
  published!: string | null;

  /** The name of the trusted issuer that decides about it; null for one that its user consented to. */
  @Column('varchar', { name: 'managed_by', length: 64, nullable: true })
  managedBy!: string | null;

  @Column('bigint', { name: 'created_at', transformer: wholeNumber })
  createdAt!: number;

  @Column('bigint', { name: 'last_used_at', transformer: wholeNumber })
  lastUsedAt!: number;

  /**
   * Ten minutes after consent until the code is exchanged, then 30 days after the last refresh, but
   * never later than the configured greatest age of grants. Not indexed, since every refresh changes it.
   */
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;

  /** When the sweeper checks the grant next; it then postpones this to `expiresAt` if that is in the future. */
  @Index('oauth_grants_sweep_due_at')
  @Column('bigint', { name: 'sweep_due_at', default: 0, transformer: wholeNumber })
  sweepDueAt!: number;

  @Column('bigint', { name: 'revoked_at', nullable: true, transformer: wholeNumber })
  revokedAt!: number | null;

  /** The hash of the common prefix of its refresh tokens; null before the first one. */
  @Index('oauth_grants_family')
  @Column('varchar', { name: 'family_hash', length: 43, nullable: true })
  familyHash!: string | null;

  /** The latest generation of which an access token was used; `deliveredAt` is the time of its first use. */
  @Column('integer', { name: 'arrived_generation', default: 0 })
  deliveredGeneration!: number;

  @Column('bigint', { name: 'arrived_at', nullable: true, transformer: wholeNumber })
  deliveredAt!: number | null;
}
