import { Inject, Injectable } from '@nestjs/common';
import { FreshnessService, SecurityEventsService, type Session } from '#libs/accounts';
import { type ConnectionChange, ConnectionStore } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { scopeNames } from '../scope.js';
import { eventOf, expectFitting, widens } from './connection.js';
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
    private readonly grants: GrantStore,
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
   * @throws RefusalError 404 for one of another account, 400 for what does not fit it, 403 without such a session
   */
  async change(session: Session, id: string, body: ConnectionChangeBody, origin: string) {
    await this.reader.get(session.user.id, id);
    const changed = await this.connections.change(id, async (grant, manager) => {
      const change = this.changeOf(grant, body);
      if (this.options.approvals === 'passkey' && widens(grant, change)) {
        await this.freshness.expect(session, undefined, manager);
      }
      return change;
    });
    if (!changed) throw noSuchConnection();
    const event = eventOf(changed, { origin });
    if (event) this.events.emit(event);
    return this.reader.describeOne(changed.grant);
  }

  /** @throws RefusalError 404 */
  async disconnect(session: Session, id: string, origin: string): Promise<void> {
    const grant = await this.reader.get(session.user.id, id);
    if (!(await this.grants.disconnect(grant))) throw noSuchConnection();
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
