import { Injectable, Logger } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import { GrantsService } from '../grant/grant.store.js';
import { isGood } from './refresh-token.js';
import {
  type GrantStanding,
  type PresentedToken,
  type Redemption,
  Redemptions,
  SqlTokenStore,
} from './token.store.js';

/** `in-use`: another request is exchanging the code at this moment. */
export type Usability = 'usable' | 'in-use' | 'replayed';

/**
 * The replay rule for authorization codes (RFC 6749 §4.1.2) and refresh tokens (OAuth 2.1 §4.3.1): decides which
 * use is a replay, revokes its grant with all tokens of the grant, and reports the replay. Only a request that
 * passed all other checks, such as client authentication, may cause this: so the library checks the usability
 * after those, and itself requests that the grant be revoked.
 */
@Injectable()
export class TokenReplayService {
  private readonly logger = new Logger(TokenReplayService.name);

  constructor(
    private readonly tokens: SqlTokenStore,
    private readonly redemptions: Redemptions,
    private readonly grants: GrantsService,
    private readonly events: SecurityEventsService,
  ) {}

  /** A presented code or token; undefined if never issued. */
  async find(value: string): Promise<PresentedToken | undefined> {
    return this.redemptions.find(value);
  }

  /** The standing of the grant of a refresh token whose row is deleted; undefined if never issued. */
  async findReplaced(refreshToken: string): Promise<GrantStanding | undefined> {
    return this.redemptions.findReplaced(refreshToken);
  }

  /**
   * Another use of a code is a replay once its exchange issued tokens that can be revoked; a parallel exchange
   * is no replay. For refresh tokens the generation rule decides.
   */
  usabilityOf({ kind, consumedAt, isExchanged, uses }: PresentedToken): Usability {
    if (kind !== 'AuthorizationCode') return isGood(uses) ? 'usable' : 'replayed';
    if (consumedAt === null) return 'usable';
    return isExchanged ? 'replayed' : 'in-use';
  }

  /**
   * Stores the tokens that the library issued and uses up the presented code or token. False when it is no
   * longer valid: a code that another request exchanged first, which revokes nothing, or a refresh token that
   * was replaced in the meantime, which is handled as a replay.
   */
  async redeem(redemption: Redemption): Promise<boolean> {
    if (await this.redemptions.redeem(redemption)) return true;
    const { kind, value, grant } = redemption.presented;
    if (kind !== 'RefreshToken') return false;
    const left = await this.tokens.find(value, kind, grant.origin);
    const known = left ?? (await this.tokens.findSuccessor(value, grant.origin));
    if (known) await this.endReplayed(grant.id);
    return false;
  }

  /** Revokes the grant of a replayed token and reports it, once for parallel replays. */
  async endReplayed(grantId: string): Promise<void> {
    if (await this.grants.revoke(grantId)) await this.report(grantId);
  }

  /** Emits the event of a replay. Never rejects, because the grant is revoked already. */
  private async report(grantId: string): Promise<void> {
    try {
      const { userId, clientId, app, origin } = await this.grants.get(grantId);
      this.events.emit({ type: 'token-replayed', userId, clientId, app, grantId, origin });
    } catch (error) {
      this.logger.error(`the replay of a token of grant ${grantId} is not told: ${String(error)}`);
    }
  }
}
