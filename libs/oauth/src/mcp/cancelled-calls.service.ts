import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cancellations } from './cancellations.js';
import { cancelledIds, GrantCalls } from './grant-calls.js';

/**
 * Cancels calls by notification, as clients of 2025 do that leave their connection open. Of the same
 * grant alone, on whatever replica the call is; one that is here is not looked for elsewhere.
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

  /** A call that can be cancelled until the function that this returns is called. */
  add(grantId: string, id: RequestId, cancel: () => void): () => void {
    return this.calls.add(grantId, id, cancel);
  }

  /** Does what the notifications of a posted message, or a batch, ask for. */
  cancelFor(grantId: string, body: unknown): void {
    const elsewhere = cancelledIds(body).filter((id) => !this.calls.cancel(grantId, id));
    if (elsewhere.length > 0) this.cancellations.publish({ grantId, ids: elsewhere });
  }
}
