import type { RequestId } from '@modelcontextprotocol/server';

/** Requests of a grant that its client no longer waits for, by the ids that the client chose. */
export interface Cancellation {
  readonly grantId: string;
  readonly ids: readonly RequestId[];
}

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' || typeof id === 'number';

/**
 * Tells other replicas about cancelled calls, since any of them may run the call. If a message is lost, for
 * example in an outage, the call continues until it is done or reaches its time limit.
 */
export abstract class Cancellations {
  static readonly portOf = 'mcp';

  /** Never throws, and does not wait for the delivery. */
  abstract publish(cancellation: Cancellation): void;

  /** Calls `listener` with what other replicas publish. Has to be called once, at the start. */
  abstract listen(listener: (cancellation: Cancellation) => void): void;
}

/** For a deployment with one replica. */
export class InProcessCancellations extends Cancellations {
  override publish() {}

  override listen() {}
}
