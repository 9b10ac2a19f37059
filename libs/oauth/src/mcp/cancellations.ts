import type { RequestId } from '@modelcontextprotocol/server';

/** That whoever has a grant waits for requests no longer, by the ids that its client chose. */
export interface Cancellation {
  readonly grantId: string;
  readonly ids: readonly RequestId[];
}

/**
 * Tells the other replicas of calls that were cancelled, since any of them may have them. What is lost,
 * in an outage say, was cancelled in vain: the call goes on until it is done or its time is up.
 */
export abstract class Cancellations {
  static readonly portOf = 'oauth';

  /** Never rejects, and waits for nobody. */
  abstract publish(cancellation: Cancellation): void;

  /** `listener` hears what other replicas publish. To be called once, at the start. */
  abstract listen(listener: (cancellation: Cancellation) => void): void;
}
