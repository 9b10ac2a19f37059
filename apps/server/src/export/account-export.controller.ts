import { finished } from 'node:stream/promises';
import { Get, Req, Res, type StreamableFile, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  ChangeLimitGuard,
  checkAgain,
  CurrentSession,
  endWithAccess,
  FreshnessService,
  OwnAccountController,
  ownOriginOf,
  type Session,
  SessionStore,
} from '#libs/accounts';
import { whileWaiting } from '#libs/platform';
import { AccountExportService } from './account-export.service.js';

/** Everything kept about the signed-in user (contract, Own account): 401, 405, 429, fresh 403. Ends with the session. */
@OwnAccountController('svc/me/export')
export class AccountExportController {
  constructor(
    private readonly exports: AccountExportService,
    private readonly freshness: FreshnessService,
    private readonly sessions: SessionStore,
  ) {}

  /** Counted among the changes, as it costs more than other reads. */
  @Get()
  @UseGuards(ChangeLimitGuard)
  async export(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    await this.freshness.expect(session);
    const { origin } = ownOriginOf(request);
    const file = await this.exports.open(session.user.id, { session, origin });
    // The exports of others were read before: the session may have ended, or the account have got its first passkey.
    const stream = file.getStream();
    try {
      await checkAgain(request);
      await this.freshness.expect(session);
      // It may have been cut meanwhile.
      if (stream.errored) throw stream.errored;
    } catch (error) {
      stream.destroy();
      throw error;
    }
    const isActive = async () => (await this.sessions.expiryOf(session.tokenHash)) !== undefined;
    endWithAccess(response, session.expiresAt, isActive);
    // From here on the client decides how long it takes.
    void whileWaiting(() => finished(response)).catch(() => undefined);
    return file;
  }
}
