import { type DeliveredEvent, DeliveryError, type EventSink } from './event-sink.js';
import type { ClaimedQueue, OutboxClaims, WaitingEvent } from './outbox-claims.sql.js';
import { deliveredId } from './outbox-receivers.js';
import type { ReceiverLog } from './receiver-log.js';
import { pauseAfter } from './retry-schedule.js';

/** A whole delivery, from the first byte that is sent to the answer. */
export const DEADLINE_MS = 10_000;

/** A sink that is told to stop may know by then that its event was taken. */
const LAST_WORD_MS = 100;

const MAX_REASON = 200;

const WITHOUT_A_WORD = 'it failed without a word';

/** How deliveries ended. */
interface Counts {
  delivered: number;
  failed: number;
  dead: number;
}

/** Delivers events to a sink, and says how that went. */
export class EventDelivery {
  constructor(
    private readonly sink: EventSink,
    private readonly claims: OutboxClaims,
    private readonly log: ReceiverLog,
    private readonly counts: Counts,
    /** Aborted when deliveries under way have to stop. */
    private readonly closing: AbortSignal,
  ) {}

  /**
   * Delivers the first events of a queue, one after the other, and gives the queue back: with the first that
   * fails, when nobody wants it to go on, or when others should have a turn.
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
