import type { EventFacts, SecurityEventType } from '#libs/accounts';

/** The data of an event; docs/reference/events.md lists the members. A member that does not apply is null. */
type EventData = {
  /** The id of the audit row; several deliveries share it where the row counts events. */
  readonly id: string;
  readonly user: string | null;
  readonly client: string | null;
  readonly app: string | null;
  readonly grant: string | null;
  readonly browser: string | null;
  readonly origin: string | null;
  readonly actor: string | null;
  /** @deprecated the members from `invite` on have the same content; removed with the next major version */
  readonly detail: string | null;
  readonly count: number;
  /** ISO 8601. */
  readonly lastAt: string | null;
  readonly credits: number | null;
  readonly durationMs: number | null;
  readonly network: string | null;
  readonly request: string | null;
} & { readonly [Fact in keyof EventFacts]-?: NonNullable<EventFacts[Fact]> | null };

/** An event as it is delivered. */
export interface DeliveredEvent {
  /** Unique to this event, and the same in every delivery of it. */
  readonly id: string;
  readonly type: SecurityEventType;
  /** When it happened, in ISO 8601; for several events, the first of them. */
  readonly timestamp: string;
  readonly data: EventData;
}

/**
 * Receives the events of this service, each at least once. Those of one account come in the order in which they were
 * recorded: the next one when the one before was accepted or given up; those of others concurrently.
 */
export abstract class EventSink {
  static readonly portOf = 'events';

  /**
   * Resolves when the receiver has stored the event. A rejection, or ten seconds without an outcome, is a failure:
   * the event is delivered again later. `signal` is aborted when the outcome no longer counts; a delivery that goes
   * on after that breaks the order.
   */
  abstract deliver(event: DeliveredEvent, signal: AbortSignal): Promise<void>;
}

/** Why a delivery failed, in words for operators: without the address and the content of the answer. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';

  constructor(
    message: string,
    /** How long the receiver asked us to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
