import type { RequestId } from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/platform';

type Cancel = () => void;

/**
 * Calls under way on this replica, by their grant and the ids that its clients chose. Nothing tells
 * clients of one grant apart, and all of them count from 0: what two have under way by the same id
 * neither can cancel.
 */
export class GrantCalls {
  private readonly grants = new Map<string, Map<RequestId, Set<Cancel>>>();

  /** Returns what forgets the call. */
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

  /** Cancels the one call that this can mean. Whether there is any here. */
  cancel(grantId: string, id: RequestId): boolean {
    const namesakes = this.grants.get(grantId)?.get(id) ?? new Set<Cancel>();
    if (namesakes.size === 1) for (const cancel of namesakes) cancel();
    return namesakes.size > 0;
  }
}

/** What the notifications of a posted message, or a batch, want to be cancelled. */
export function cancelledIds(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || message['method'] !== 'notifications/cancelled') return [];
    const { params } = message;
    const id = isJsonObject(params) ? params['requestId'] : undefined;
    return isRequestId(id) ? [id] : [];
  });
}

export const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' || typeof id === 'number';
