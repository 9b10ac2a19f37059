import { type DeliveredEvent, DeliveryError, type EventSink } from './event-sink.js';
import type { ClaimedQueue, OutboxClaims, WaitingEvent } from './outbox-claims.sql.js';
import { deliveredId } from './outbox-receivers.js';
import type { ReceiverLog } from './receiver-log.js';
import { pauseAfter } from './retry-schedule.js';

/** The limit of a whole delivery, from the first byte sent to the answer. */
export const DEADLINE_MS = 10_000;

/** A grace period after the abort: the sink may then already know that its event was accepted. */
const LAST_WORD_MS = 100;

const MAX_REASON = 200;

const WITHOUT_A_WORD = 'it failed without a word';

/** The outcomes of deliveries. */
interface Counts {
  delivered: number;
  failed: number;
  dead: number;
}

/** Delivers events to a sink, and records the outcome. */
export class EventDelivery {
  constructor(
    private readonly sink: EventSink,
    private readonly claims: OutboxClaims,
    private readonly log: ReceiverLog,
    private readonly counts: Counts,
    /** Aborted when deliveries in progress have to stop. */
    private readonly closing: AbortSignal,
  ) {}

  /**
   * Delivers the first events of a queue in order, and releases the queue: at the first failure, when `goesOn`
   * returns false, or after one batch, so that other queues have their turn.
   */
  async takeTurn(queue: ClaimedQueue, goesOn: () => boolean): Promise<void> {
    const events = await this.claims.next(queue);
    for (const event of events) {
      if (!goesOn()) return this.claims.release(queue);
      const failure = await this.failureOf(event);
      if (failure !== undefined) return this.giveBack(queue, event, failure);
      this.counts.delivered += 1;
      this.log.delivered();
      await this.claims.delivered(event);
    }
    if (!(await this.claims.finish(queue))) await this.claims.release(queue);
  }

  private async failureOf({ id, body }: WaitingEvent): Promise<unknown> {
    const event = { id: deliveredId(id), ...(JSON.parse(body) as Omit<DeliveredEvent, 'id'>) };
    const ends = [AbortSignal.timeout(DEADLINE_MS), this.closing];
    const stop = new AbortController();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const end = () => {
      stop.abort();
      setTimeout(reject, LAST_WORD_MS, new DeliveryError('there was no end in time'));
    };
    for (const signal of ends) signal.addEventListener('abort', end);
    try {
      await Promise.race([this.sink.deliver(event, stop.signal), stopped]);
      return undefined;
    } catch (error) {
      return error ?? new DeliveryError(WITHOUT_A_WORD);
    } finally {
      for (const signal of ends) signal.removeEventListener('abort', end);
    }
  }

  private async giveBack(queue: ClaimedQueue, event: WaitingEvent, failure: unknown) {
    if (this.closing.aborted) return this.claims.release(queue);
    const why = reasonOf(failure);
    this.counts.failed += 1;
    this.log.failed(why);
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
    return WITHOUT_A_WORD;
  }
}
