import { Injectable, Logger } from '@nestjs/common';
import { SecurityEventsService } from '#libs/accounts';
import { GrantsService } from './grants.service.js';
import { RefreshGenerations } from './refresh-generations.sql.js';
import { SqlTokenStore } from './token-store.sql.js';
import type { TokenEntity } from './token.entity.js';

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
    private readonly generations: RefreshGenerations,
    private readonly grants: GrantsService,
    private readonly events: SecurityEventsService,
  ) {}

  /** A used code is replayed once it gave what can be revoked; a parallel exchange is no replay. */
  async usabilityOfCode({ consumedAt, grantId }: TokenEntity): Promise<Usability> {
    if (consumedAt === null) return 'usable';
    return (await this.tokens.hasRefreshToken(grantId)) ? 'replayed' : 'in-use';
  }

  async usabilityOfRefreshToken(found: TokenEntity): Promise<Usability> {
    return (await this.generations.isGood(found)) ? 'usable' : 'replayed';
  }

  /** Marks a code as used; of parallel calls exactly one gets true, and the others revoke nothing. */
  async useCode(code: string): Promise<boolean> {
    return this.tokens.consumeOnce(code);
  }

  /** Marks a refresh token as used; false, and the replay is dealt with, when it was replaced meanwhile. */
  async useRefreshToken(found: TokenEntity): Promise<boolean> {
    if (await this.generations.use(found)) return true;
    await this.endReplayed(found.grantId);
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
