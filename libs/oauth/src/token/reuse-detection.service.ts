import { Injectable, Logger } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import { GrantStore } from '../grant/grant.store.js';
import type { IssuedTokens, PresentedToken } from './token.js';
import { TokenStore } from './token.store.js';

/**
 * Reuse detection for codes (RFC 6749 §4.1.2) and refresh tokens (OAuth 2.1 §4.3.1): revokes and reports the grant of a
 * replayed one, after all other checks of the request, such as client authentication.
 */
@Injectable()
export class ReuseDetectionService {
  private readonly logger = new Logger(ReuseDetectionService.name);

  constructor(
    private readonly tokens: TokenStore,
    private readonly grants: GrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Stores the issued tokens and uses up what was presented; the exchange of a code ends the grants that the new one
   * replaces. False when a parallel request was first: with the same code, or with a later refresh token, which makes
   * this one a replay.
   */
  async redeem(issued: IssuedTokens): Promise<boolean> {
    const { kind, value, grant } = issued.presented;
    const redeemed = await this.tokens.redeem(issued);
    if (redeemed) {
      if (redeemed.mayExceedLimits) await this.endSurplus(grant);
      return true;
    }
    if (kind !== 'RefreshToken') return false;
    const left = await this.tokens.find(value, kind, grant.origin);
    const known = left ?? (await this.tokens.findSuccessor(value, grant.origin));
    if (known) await this.endReplayed(grant.id);
    return false;
  }

  /** Ends the grants that the new one replaces. Never rejects: the tokens of the new one are written. */
  private async endSurplus(grant: PresentedToken['grant']): Promise<void> {
    const { userId, clientId, app, origin } = grant;
    try {
      for (const grantId of await this.grants.endSurplus(grant)) {
        this.events.emit({ type: 'grant-replaced', userId, clientId, app, origin, grantId });
      }
    } catch (error) {
      this.logger.error(`apps of account ${userId} beyond the limits go on: ${String(error)}`);
    }
  }

  /** Revokes the grant of a replayed token and reports it, once for parallel replays. Reporting never rejects. */
  async endReplayed(grantId: string): Promise<void> {
    if (!(await this.grants.revoke(grantId))) return;
    try {
      const { userId, clientId, app, origin } = await this.grants.get(grantId);
      this.events.emit({ type: 'token-replayed', userId, clientId, app, grantId, origin });
    } catch (error) {
      this.logger.error(
        `the replay of a token of grant ${grantId} is not reported: ${String(error)}`,
      );
    }
  }
}
