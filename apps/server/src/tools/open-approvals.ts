import { Injectable } from '@nestjs/common';
import { ApprovalService } from '#libs/oauth';
import { epochSeconds } from '#libs/platform';
import { OpenRequests } from '#libs/tab-hub';
import { visibleLine } from './pages/page-text.js';

/** Shows open tabs what apps ask of their person. */
@Injectable()
export class OpenApprovals extends OpenRequests {
  constructor(private readonly approvals: ApprovalService) {
    super();
  }

  override async of(userId: string) {
    const open = await this.approvals.listOpen(userId);
    return open.map(({ id, app, title, needsPasskey: passkey, expiresAt }) => ({
      id,
      app,
      title: visibleLine(title),
      passkey,
      expiresAt: epochSeconds(expiresAt),
    }));
  }

  override onChanged(listener: (userId: string) => void) {
    this.approvals.onChanged(listener);
  }
}
