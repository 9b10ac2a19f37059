import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { OutageLog } from '#libs/platform';
import { DEADLINE_MS, EventDelivery } from './event-delivery.js';
import { EventSink } from './event-sink.js';
import { type ClaimedQueue, LEASE_MS, OutboxClaims } from './outbox-claims.sql.js';
import { isForSink } from './outbox-receivers.js';
import { OUTBOX_OPTIONS, type OutboxOptions } from './outbox.module-definition.js';
import { OutboxService } from './outbox.service.js';
import { ReceiverLog } from './receiver-log.js';

const MOST_AT_ONCE = 8;

/** The polling interval for events that other replicas wrote or left, and for retries. */
const LOOK_EVERY_MS = 2_000;

/** How long deliveries in progress may take when the service stops. */
const LAST_MS = 3_000;

/** A delivery starts only while enough of the lease remains to end and record it. */
const LAST_BEGINNING_MS = LEASE_MS - DEADLINE_MS - 5_000;

/** The injection token of the configured webhook's sink; its value may be undefined. */
export const WEBHOOK = Symbol('WEBHOOK');

/** Delivers the events of the outbox; every replica runs this. */
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
    const log = new ReceiverLog(this.logger);
    return new EventDelivery(receiver, this.claims, log, this.outbox.counts, this.closing.signal);
  }

  async onModuleDestroy() {
    this.isOver = true;
    this.outbox.bell.ring();
    const last = setTimeout(() => this.closing.abort(), LAST_MS);
    await this.work;
    await Promise.all(this.turns);
    clearTimeout(last);
  }

  private async deliver(deliveryOf: (queue: ClaimedQueue) => EventDelivery) {
    const { bell } = this.outbox;
    while (!this.isOver) {
      const beganAt = performance.now();
      const goesOn = () => !this.isOver && performance.now() - beganAt < LAST_BEGINNING_MS;
      const free = MOST_AT_ONCE - this.turns.size;
      const queues = free === 0 ? [] : await this.claim(free);
      for (const queue of queues) this.begin(deliveryOf(queue).takeTurn(queue, goesOn));
      if (free === 0 || queues.length < free) await bell.wait(LOOK_EVERY_MS);
    }
  }

  private async claim(most: number): Promise<ClaimedQueue[]> {
    try {
      const queues = await this.claims.claim(most);
      this.outage.end();
      return queues;
    } catch (error) {
      this.outage.begin(`events wait for the database: ${String(error)}`);
      return [];
    }
  }

  /** A result that the database did not record is repeated when the lease expires. */
  private begin(turn: Promise<void>) {
    const ended: Promise<void> = turn
      .catch((error: unknown) =>
        this.outage.begin(`events wait for the database: ${String(error)}`),
      )
      .finally(() => {
        this.turns.delete(ended);
        this.outbox.bell.ring();
      });
    this.turns.add(ended);
  }
}
