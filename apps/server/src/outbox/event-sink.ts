import type { SecurityEventType } from '#libs/accounts';

/** What is told of an event; docs/reference/events.md has the members. Null is what there is none of. */
export interface EventData {
  /** Of the row of the audit trail; several deliveries have it where the row counts. */
  readonly id: string;
  readonly user: string | null;
  readonly client: string | null;
  readonly app: string | null;
  readonly grant: string | null;
  readonly browser: string | null;
  readonly origin: string | null;
  readonly actor: string | null;
  /** @deprecated the members from `invite` on have the same; this goes with the next major version */
  readonly detail: string | null;
  readonly count: number;
  /** ISO 8601. */
  readonly lastAt: string | null;
  readonly credits: number | null;
  readonly durationMs: number | null;
  readonly network: string | null;
  readonly request: string | null;
  readonly invite: string | null;
  readonly host: string | null;
  readonly event: string | null;
  readonly limit: number | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly reason: string | null;
}

/** An event as it is delivered. */
export interface DeliveredEvent {
  /** The same whenever this event is delivered again, and of no other. */
  readonly id: string;
  readonly type: SecurityEventType;
  /** When it happened, ISO 8601; of several, the first. */
  readonly timestamp: string;
  readonly data: EventData;
}

/**
 * Takes events out of this service. Each comes at least once, and those of an account one after the other, in
 * the order in which they were written down, from whichever replica: the next one when the one before was
 * taken or given up. Events of several accounts come at the same time.
 */
export abstract class EventSink {
  static readonly portOf = 'events';

  /**
   * Resolves when the event is safe where it went to. What it throws, and ten seconds without an end, are a
   * failure: the event comes again later. `signal` is aborted when nobody waits for the end any more; what is
   * done after that breaks the order.
   */
  abstract deliver(event: DeliveredEvent, signal: AbortSignal): Promise<void>;
}

/** Why a delivery failed, in words for those who run the service: no address, and nothing of the answer. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';

  constructor(
    message: string,
    /** How long the other side asks to be left alone. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
