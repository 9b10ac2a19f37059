import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { paramsIn } from './message.js';

/** Requests of a grant that its client no longer waits for, by the ids that the client chose. */
export interface Cancellation {
  readonly grantId: string;
  readonly ids: readonly RequestId[];
}

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' || typeof id === 'number';

/** Tells other replicas about cancelled calls. Where a message is lost, the call goes on to its end or time limit. */
export abstract class Cancellations {
  static readonly portOf = 'mcp';

  /** Never throws, and does not wait for the delivery. */
  abstract publish(cancellation: Cancellation): void;

  /** Calls `listener` with what other replicas publish. Has to be called once, at the start. */
  abstract listen(listener: (cancellation: Cancellation) => void): void;
}

export class InProcessCancellations extends Cancellations {
  override publish() {}

  override listen() {}
}

type Cancel = () => void;

/**
 * Cancels calls by notification, as clients of 2025 do: calls of their own grant, on any replica. Clients of one grant
 * cannot be told apart, and all count from 0: where two have running calls with one id on this replica, neither can
 * cancel its own.
 */
@Injectable()
export class CancelledCallsService implements OnModuleInit {
  /** Running calls on this replica, by grant and by the ids that its clients chose. */
  private readonly grants = new Map<string, Map<RequestId, Set<Cancel>>>();

  constructor(private readonly cancellations: Cancellations) {}

  onModuleInit() {
    this.cancellations.listen(({ grantId, ids }) => {
      for (const id of ids) this.cancel(grantId, id);
    });
  }

  add(grantId: string, id: RequestId, cancel: Cancel): () => void {
    const calls = this.grants.get(grantId) ?? new Map<RequestId, Set<Cancel>>();
    const namesakes = calls.get(id) ?? new Set();
    this.grants.set(grantId, calls.set(id, namesakes.add(cancel)));
    return () => {
      namesakes.delete(cancel);
      if (namesakes.size === 0) calls.delete(id);
      if (calls.size === 0) this.grants.delete(grantId);
    };
  }

  cancelFor(grantId: string, body: unknown): void {
    const ids = paramsIn(body, 'notifications/cancelled', 'requestId').filter(isRequestId);
    const elsewhere = ids.filter((id) => !this.cancel(grantId, id));
    if (elsewhere.length > 0) this.cancellations.publish({ grantId, ids: elsewhere });
  }

  /** Cancels the call if the id is unambiguous. Returns whether any call here has the id. */
  private cancel(grantId: string, id: RequestId): boolean {
    const namesakes = this.grants.get(grantId)?.get(id) ?? new Set<Cancel>();
    if (namesakes.size === 1) for (const cancel of namesakes) cancel();
    return namesakes.size > 0;
  }
}
