import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { v7 as nextTimeOrderedId } from 'uuid';
import {
  browserName,
  currentVisitor,
  type SecurityEvent,
  SecurityEventsService,
} from '#libs/accounts';
import { currentRequestId, getServiceKey } from '#libs/platform';
import { OutboxService } from '../outbox/outbox.service.js';
import type { AuditEventEntity } from './audit-event.entity.js';
import { AuditQueue } from './audit-queue.js';
import { AuditCounters, pendingRow } from './audit-counters.js';
import { AUDIT_OPTIONS, type AuditOptions } from './audit.module-definition.js';
import { wellFormed } from './audit.store.js';
import {
  HOUR_MS,
  isAnonymous,
  isRepeated,
  keyOfRepeated,
  MINUTE_MS,
  RepeatedEventLimit,
  isOfActivity,
  restOfType,
  AnonymousEventLimit,
} from './audit-limits.js';

const KEY_NAME = 'audit-networks';
const NETWORK_CHARACTERS = 22;
const MAX_DETAIL = 200;
const DAY_MS = 24 * HOUR_MS;
const CALLS_WRITTEN_EVERY_MS = 3_000;

/**
 * Records each security event twice: as a log line at once, and as a row. Events that can be caused without end are
 * counted once they come in numbers, on a row that is written at the first event and every minute while its count
 * grows, or at once where the account's owner sees it, or within seconds for calls; a replica that dies loses the
 * counts of one minute at most. Ids
 * are version 7 UUIDs (RFC 9562 §6.2), each greater than the one before it in this process: rows are in their order,
 * even when the clock is set back.
 */
@Injectable()
export class AuditTrailService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Audit');
  private readonly queue: AuditQueue;
  private readonly strangers = new AnonymousEventLimit();
  private readonly repeated = new RepeatedEventLimit();
  private readonly tallies = new AuditCounters();
  private networkKey: KeyObject = createSecretKey(Buffer.alloc(0));
  private unsubscribe: () => void = () => {};

  constructor(
    private readonly events: SecurityEventsService,
    private readonly dataSource: DataSource,
    outbox: OutboxService,
    @Inject(AUDIT_OPTIONS) private readonly options: AuditOptions,
  ) {
    this.queue = new AuditQueue(dataSource, this.logger, outbox);
  }

  async onModuleInit() {
    this.networkKey = await getServiceKey(this.dataSource, KEY_NAME);
    this.unsubscribe = this.events.listen((event) => this.record(event));
  }

  async onModuleDestroy() {
    this.unsubscribe();
    this.writeTallies();
    await this.queue.close();
  }

  /** Rows since the start that the trail lacks; each had its log line. */
  get lostRows(): number {
    return this.queue.lost;
  }

  private record(event: SecurityEvent) {
    if (isAnonymous(event.type)) this.recordOfStranger(event);
    else if (isRepeated(event.type)) this.recordRepeated(event);
    else this.write(this.rowOf(event));
  }

  private recordOfStranger(event: SecurityEvent) {
    const { type, origin } = event;
    const network = currentVisitor()?.network;
    const kind = { type, origin, userId: null };
    const level = this.queue.isCrowded ? 'perType' : this.strangers.levelOfDetail(type, network);
    if (level === 'detailed') this.write(this.rowOf(event, network));
    else if (level === 'perType') this.count(type, MINUTE_MS, kind);
    else this.count(`${type} ${network}`, MINUTE_MS, kind, network);
  }

  private recordRepeated(event: SecurityEvent) {
    const { type, origin, spent } = event;
    const key = keyOfRepeated(event);
    if (this.countOn(key, event)) return;
    const rest = this.queue.isCrowded ? restOfType(event) : this.repeated.restFor(event);
    const restOfHour = Math.min(HOUR_MS, DAY_MS - (Date.now() % DAY_MS));
    if (!rest) return this.count(key, restOfHour, event);
    this.count(rest.key, restOfHour, { type, origin, spent, ...rest.holder });
  }

  private write(row: AuditEventEntity) {
    this.log(row);
    this.queue.add(pendingRow(row));
  }

  /** Counts an event on the key's row, or begins that row with it. */
  private count(key: string, windowMs: number, event: SecurityEvent, network?: string) {
    if (this.countOn(key, event)) return;
    const row = this.rowOf(event, network);
    this.log(row);
    this.queue.tryAdd(this.tallies.begin(key, Date.now() + windowMs, row));
  }

  /** Whether the key has a row, which then counts the event. */
  private countOn(key: string, event: SecurityEvent): boolean {
    const tally = this.tallies.count(key, Date.now(), browserOf(event), event.spent);
    // The owner sees the row in the account's activity list a moment later.
    if (tally && isOfActivity(event)) this.queue.tryAdd(tally);
    return tally !== undefined;
  }

  /** Ends the rows whose time is over, and writes those whose counts have grown. */
  @Interval('audit-counts', MINUTE_MS)
  writeTallies() {
    for (const { row } of this.tallies.takeOver(Date.now())) if (row.count > 1) this.log(row);
    for (const tally of this.tallies.untold()) this.queue.tryAdd(tally);
  }

  /** Writes the calls whose count has grown: people see them; their events wait for the minute. */
  @Interval('audit-calls', CALLS_WRITTEN_EVERY_MS)
  writeCalls() {
    for (const tally of this.tallies.unwritten()) {
      if (tally.row.type === 'tool-called') this.queue.tryAdd(tally, false);
    }
  }

  private log({
    id: _id,
    at: _at,
    expiresAt: _end,
    requestId: _request,
    facts: _facts,
    ...row
  }: AuditEventEntity) {
    this.logger.log(row, row.type);
  }

  private hash(network: string): string {
    const hash = createHmac('sha256', this.networkKey).update(network).digest('base64url');
    return hash.slice(0, NETWORK_CHARACTERS);
  }

  private rowOf(event: SecurityEvent, network?: string): AuditEventEntity {
    const { type, userId, clientId = null, grantId = null, origin } = event;
    const { app = null, actor = null, detail, facts, spent } = event;
    const at = Date.now();
    return {
      id: nextTimeOrderedId(),
      at,
      type,
      userId,
      clientId,
      grantId,
      app,
      browser: browserOf(event),
      origin,
      actor,
      requestId: currentRequestId() ?? null,
      detail: detail?.slice(0, MAX_DETAIL) ?? null,
      facts: facts === undefined ? null : JSON.stringify(facts, wellFormed),
      credits: spent?.credits ?? null,
      durationMs: spent?.durationMs ?? null,
      count: 1,
      lastAt: null,
      network: network === undefined ? null : this.hash(network),
      expiresAt: at + this.options.retentionMs,
    };
  }
}

const browserOf = ({ userId }: SecurityEvent) =>
  userId === null ? null : browserName(currentVisitor()?.userAgent);
