import { Injectable, Logger } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import { GrantsService } from './grants.service.js';
import type { GrantStanding, PresentedToken } from './presented-token.sql.js';
import type { Redemption } from './redemption.js';
import { Redemptions } from './redemptions.sql.js';
import { isGood } from './refresh-generations.js';
import { SqlTokenStore } from './token-store.sql.js';

/** `in-use`: another request is exchanging it right now. */
export type Usability = 'usable' | 'in-use' | 'replayed';

/**
 * The replay rule for authorization codes (RFC 6749 §4.1.2) and refresh tokens (OAuth 2.1 §4.3.1): which use of one
 * is a replay, and what follows: its grant is revoked with everything it gave, and the replay is reported.
 * Only a request that proves the rest, such as its client, may revoke: so the library looks at the
 * usability when its turn comes, and asks for the end of the grant itself.
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

  /** A code or token as it is presented; undefined when nobody was given it. */
  async find(value: string): Promise<PresentedToken | undefined> {
    return this.redemptions.find(value);
  }

  /** What speaks against a refresh token whose row is gone; undefined when nobody was given it. */
  async findReplaced(refreshToken: string): Promise<GrantStanding | undefined> {
    return this.redemptions.findReplaced(refreshToken);
  }

  /**
   * A used code is replayed once it gave what can be revoked; a parallel exchange is no replay. A refresh
   * token is by the rule of generations.
   */
  usabilityOf({ kind, consumedAt, isExchanged, uses }: PresentedToken): Usability {
    if (kind !== 'AuthorizationCode') return isGood(uses) ? 'usable' : 'replayed';
    if (consumedAt === null) return 'usable';
    return isExchanged ? 'replayed' : 'in-use';
  }

  /**
   * Gives what the library decided, and uses up what was presented. False when it is not good any more: a
   * code that another request was faster with, which revokes nothing, or a refresh token that was
   * replaced meanwhile, and that replay is dealt with.
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

  /** Revokes the grant of a replayed token and reports it; of parallel replays one does. */
  async endReplayed(grantId: string): Promise<void> {
    if (await this.grants.revoke(grantId)) await this.report(grantId);
  }

  /** Tells of a replay whose grant is revoked already, so this never fails. */
  private async report(grantId: string): Promise<void> {
    try {
      const { userId, clientId, app, origin } = await this.grants.get(grantId);
      this.events.emit({ type: 'token-replayed', userId, clientId, app, grantId, origin });
    } catch (error) {
      this.logger.error(`the replay of a token of grant ${grantId} is not told: ${String(error)}`);
    }
  }
}
