import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { isJsonObject, OutageLog, parseJson } from '#libs/platform';
import { type DeliveredEvent, DeliveryError, EventSink } from './event-sink.js';
import { deliveredId, isForSink, OutboxService } from './outbox.service.js';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';
import { type ClaimedQueue, LEASE_MS, OutboxClaims, type WaitingEvent } from './outbox.store.js';
import { pauseAfter } from './retry-schedule.js';

/** The minimum time between two warnings: one refused event among others must not fill the log. */
const QUIET_MS = 10 * 60_000;

/** The limit of a whole delivery, from the first byte sent to the answer. */
export const DEADLINE_MS = 10_000;

/** A grace period after the abort: the sink may then already know that its event was accepted. */
const ABORT_GRACE_MS = 100;
const MAX_REASON = 200;
const NO_MESSAGE = 'no error message';

export class EventDelivery {
  constructor(
    private readonly sink: EventSink,
    private readonly claims: OutboxClaims,
    private readonly outage: OutageLog,
    private readonly counts: OutboxService['counts'],
    private readonly closing: AbortSignal,
  ) {}

  /** Delivers a queue's first events in order, up to a failure, the end of `goesOn`, or one batch, then releases it. */
  async takeTurn(queue: ClaimedQueue, goesOn: () => boolean): Promise<void> {
    const events = await this.claims.next(queue);
    for (const event of events) {
      if (!goesOn()) return this.claims.release(queue);
      const failure = await this.failureOf(event);
      if (failure !== undefined) return this.giveBack(queue, event, failure);
      this.counts.delivered += 1;
      this.outage.end('events are delivered again');
      await this.claims.delivered(event);
    }
    if (!(await this.claims.finish(queue))) await this.claims.release(queue);
  }

  private async failureOf({ id, body }: WaitingEvent): Promise<unknown> {
    const stored = parseJson(body);
    if (!isJsonObject(stored)) return new DeliveryError('its stored body is not valid');
    const event = { id: deliveredId(id), ...stored } as DeliveredEvent;
    const ends = [AbortSignal.timeout(DEADLINE_MS), this.closing];
    const stop = new AbortController();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const end = () => {
      stop.abort();
      setTimeout(reject, ABORT_GRACE_MS, new DeliveryError('there was no end in time'));
    };
    for (const signal of ends) signal.addEventListener('abort', end);
    try {
      await Promise.race([this.sink.deliver(event, stop.signal), stopped]);
      return undefined;
    } catch (error) {
      return error ?? new DeliveryError(NO_MESSAGE);
    } finally {
      for (const signal of ends) signal.removeEventListener('abort', end);
    }
  }

  private async giveBack(queue: ClaimedQueue, event: WaitingEvent, failure: unknown) {
    if (this.closing.aborted) return this.claims.release(queue);
    const why = reasonOf(failure);
    this.counts.failed += 1;
    this.outage.begin(`events are not delivered: ${why}; they wait, and are sent again`);
    const retryAfterMs = failure instanceof DeliveryError ? failure.retryAfterMs : undefined;
    const pauseMs = event.isLate ? undefined : pauseAfter(event.attempts + 1, retryAfterMs);
    if (pauseMs !== undefined) return this.claims.fail(queue, event, why, pauseMs);
    this.counts.dead += 1;
    return this.claims.giveUp(queue, event, why);
  }
}

const reasonOf = (failure: unknown) =>
  wordsOf(failure).slice(0, MAX_REASON).toWellFormed().replaceAll('\0', ' ');

function wordsOf(failure: unknown): string {
  try {
    return String(failure instanceof DeliveryError ? failure.message : failure);
  } catch {
    return NO_MESSAGE;
  }
}

const MOST_AT_ONCE = 8;

/** The polling interval for events that other replicas wrote or left, and for retries. */
const LOOK_EVERY_MS = 2_000;
const LAST_MS = 3_000;

/** A delivery starts only while enough of the lease remains to end and record it. */
const LAST_BEGINNING_MS = LEASE_MS - DEADLINE_MS - 5_000;
const DATABASE_AWAY = 'events wait for the database';

/** The injection token of the configured webhook's sink; its value may be undefined. */
export const WEBHOOK = Symbol('WEBHOOK');

@Injectable()
export class OutboxDeliveryService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Events');
  private readonly outage = new OutageLog(this.logger);
  private readonly turns = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private isOver = false;
  private work: Promise<void> | undefined;

  constructor(
    private readonly outbox: OutboxService,
    private readonly claims: OutboxClaims,
    @Inject(EventSink) private readonly sink: EventSink | null,
    @Inject(WEBHOOK) private readonly webhook: EventSink | undefined,
    @Inject(OUTBOX_OPTIONS) private readonly options: OutboxOptions,
  ) {}

  onApplicationBootstrap() {
    const webhook = this.deliveryTo(this.webhook);
    const sink = this.deliveryTo(this.sink);
    const [toSink, toOthers] = [sink ?? webhook, webhook ?? sink];
    if (toSink === undefined || toOthers === undefined || !this.options.delivers) return;
    this.work = this.deliver(({ id }) => (isForSink(id) ? toSink : toOthers));
  }

  private deliveryTo(receiver: EventSink | null | undefined) {
    if (!receiver) return undefined;
    const outage = new OutageLog(this.logger, QUIET_MS);
    const { counts } = this.outbox;
    return new EventDelivery(receiver, this.claims, outage, counts, this.closing.signal);
  }

  async onModuleDestroy() {
    this.isOver = true;
    this.outbox.wakeUp();
    const last = setTimeout(() => this.closing.abort(), LAST_MS);
    await this.work;
    await Promise.all(this.turns);
    clearTimeout(last);
  }

  private async deliver(deliveryOf: (queue: ClaimedQueue) => EventDelivery) {
    while (!this.isOver) {
      const beganAt = performance.now();
      const goesOn = () => !this.isOver && performance.now() - beganAt < LAST_BEGINNING_MS;
      const free = MOST_AT_ONCE - this.turns.size;
      const claim = () => this.claims.claim(free);
      const queues = free === 0 ? [] : ((await this.outage.watch(claim, DATABASE_AWAY)) ?? []);
      for (const queue of queues) this.begin(deliveryOf(queue).takeTurn(queue, goesOn));
      if (free === 0 || queues.length < free) await this.outbox.wait(LOOK_EVERY_MS);
    }
  }

  /** A result that the database did not record is repeated when the lease expires. */
  private begin(turn: Promise<void>) {
    const ended: Promise<void> = turn
      .catch((error: unknown) => this.outage.begin(`${DATABASE_AWAY}: ${String(error)}`))
      .finally(() => {
        this.turns.delete(ended);
        this.outbox.wakeUp();
      });
    this.turns.add(ended);
  }
}
