import { Inject, Injectable } from '@nestjs/common';
import {
  FreshnessService,
  RefusalError,
  SecurityEventsService,
  type Session,
} from '#libs/accounts';
import { AccessDecisionsService } from '../access-policy/access-decision.service.js';
import { type ConnectionChange, ConnectionStore } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeNames } from '../scope.js';
import { eventOf, expectFitting, expectGiven, scopesWidened, widens } from './connection.js';
import type { ConnectionChangeBody } from './connection-change.dto.js';
import { ConnectionReaderService, noSuchConnection } from './connection-reader.service.js';

/** Changes of connections by their person. */
@Injectable()
export class ConnectionsService {
  constructor(
    @Inject(OAUTH_OPTIONS)
    private readonly options: Pick<OAuthOptions, 'approvals' | 'grantMaxAgeMs'>,
    private readonly connections: ConnectionStore,
    private readonly reader: ConnectionReaderService,
    private readonly access: AccessDecisionsService,
    private readonly freshness: FreshnessService,
    private readonly events: SecurityEventsService,
  ) {
    connections.within({
      grantMaxAgeMs: options.grantMaxAgeMs,
      scopesFor: (grant) => scopeNames(reader.resourceOf(grant)?.scopes ?? []),
    });
  }

  /**
   * The connection after the change. With `approvals` by passkey, only a fresh session lets an app do more.
   * @throws RefusalError 404 for one of another account, 400 for what does not fit it, 403 without such a session, 401
   * when the session has ended since it was read
   */
  async change(
    session: Session,
    id: string,
    body: ConnectionChangeBody,
    origin: string,
  ): Promise<GrantEntity> {
    const found = await this.reader.get(session.user.id, id);
    // Before the transaction: others would wait for the policy. Without a scope that widens it is not asked.
    const isWider = scopesWidened(found, body.permissions).length > 0;
    const given = isWider ? await this.access.givenTo(found) : [];
    const changed = await this.connections.changeBy(session, id, async (grant, manager) => {
      const change = this.changeOf(grant, body);
      expectGiven(grant, change, this.access.isAsked ? given : undefined);
      if (this.options.approvals === 'passkey' && widens(grant, change)) {
        await this.freshness.expect(session, undefined, manager);
      }
      return change;
    });
    if (!changed) throw noSuchConnection();
    const event = eventOf(changed, { origin });
    if (event) this.events.emit(event);
    return changed.grant;
  }

  /** The scopes that the page offers beside those that the app has; none while the access policy does not say. */
  async offeredFor(grant: GrantEntity): Promise<readonly string[]> {
    return this.access.givenTo(grant).catch((error: unknown) => {
      if (error instanceof RefusalError) return [];
      throw error;
    });
  }

  /** @throws RefusalError 404, as `noSuch` says it */
  async disconnect({ user }: Session, id: string, origin: string, noSuch = noSuchConnection) {
    const grant = await this.reader.find(user.id, id);
    if (!grant || !(await this.reader.grants.disconnect(grant))) throw noSuch();
    const { userId, clientId, app } = grant;
    this.events.emit({ type: 'app-disconnected', userId, clientId, app, grantId: id, origin });
  }

  private changeOf(grant: GrantEntity, body: ConnectionChangeBody): ConnectionChange {
    const { permissions, mayAsk, paused, dailyCredits, endsAt } = body;
    const { scopes = [] } = this.reader.resourceOf(grant) ?? {};
    expectFitting(grant, scopeNames(scopes), permissions ?? {});
    return {
      ...(permissions && { permissions }),
      ...(mayAsk !== undefined && { mayAsk }),
      ...(paused !== undefined && { isPausedByPerson: paused }),
      ...(dailyCredits !== undefined && { dailyCredits }),
      ...(endsAt !== undefined && { endsAt: endsAt === null ? null : endsAt * 1000 }),
    };
  }
}
