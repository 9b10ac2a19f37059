import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isJsonObject } from '#libs/platform';
import { Cancellations, isRequestId } from './cancellation.js';

type Cancel = () => void;

/**
 * Running calls on this replica, by grant and by the ids that its clients chose. Clients of one grant
 * cannot be told apart, and all of them count from 0: if two have running calls with the same id, neither
 * can cancel its own.
 */
export class GrantCalls {
  private readonly grants = new Map<string, Map<RequestId, Set<Cancel>>>();

  /** Returns a function that removes the call. */
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

  /** Cancels the call if the id is unambiguous. Returns whether any call here has the id. */
  cancel(grantId: string, id: RequestId): boolean {
    const namesakes = this.grants.get(grantId)?.get(id) ?? new Set<Cancel>();
    if (namesakes.size === 1) for (const cancel of namesakes) cancel();
    return namesakes.size > 0;
  }
}

/** The ids of the requests that the notifications of a posted message or batch cancel. */
export function cancelledIds(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || message['method'] !== 'notifications/cancelled') return [];
    const { params } = message;
    const id = isJsonObject(params) ? params['requestId'] : undefined;
    return isRequestId(id) ? [id] : [];
  });
}

/**
 * Cancels calls by notification, as clients of 2025 do while they keep the connection open. A client can
 * cancel only calls of its own grant, on any replica; a call found on this replica is not published.
 */
@Injectable()
export class CancelledCallsService implements OnModuleInit {
  private readonly calls = new GrantCalls();

  constructor(private readonly cancellations: Cancellations) {}

  onModuleInit() {
    this.cancellations.listen(({ grantId, ids }) => {
      for (const id of ids) this.calls.cancel(grantId, id);
    });
  }

  /** Registers a call that can be cancelled until the returned function is called. */
  add(grantId: string, id: RequestId, cancel: () => void): () => void {
    return this.calls.add(grantId, id, cancel);
  }

  /** Cancels the calls named by the notifications of a posted message or batch. */
  cancelFor(grantId: string, body: unknown): void {
    const elsewhere = cancelledIds(body).filter((id) => !this.calls.cancel(grantId, id));
    if (elsewhere.length > 0) this.cancellations.publish({ grantId, ids: elsewhere });
  }
}
