import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cancellations } from './cancellations.js';
import { cancelledIds, GrantCalls } from './grant-calls.js';

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
