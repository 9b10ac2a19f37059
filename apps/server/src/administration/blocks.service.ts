import { Injectable } from '@nestjs/common';
import { RefusalError, SecurityEventsService } from '#libs/accounts';
import {
  ClientBlockStore,
  ClientStore,
  isDocumentUrl,
  isPossibleDocumentUrl,
  normalRedirectHost,
} from '#libs/oauth';
import type { PageRequest } from '#libs/platform';
import { toIsoTime } from './values.js';

/** A client by its id, or all clients that redirect to a host. */
type BlockTarget = { readonly client: string } | { readonly redirectHost: string };

/** Blocked clients and redirect hosts for operators; like UsersAdministrationService for accounts. */
@Injectable()
export class BlocksAdministrationService {
  constructor(
    private readonly clients: ClientStore,
    private readonly blocks: ClientBlockStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Blocked redirect hosts, the most recently blocked first. @throws UnknownPageError */
  async listHosts(asked: PageRequest) {
    const { items, next } = await this.blocks.listHosts(asked);
    const hosts = items.map(({ redirectHost, blockedAt }) => ({
      redirectHost,
      blockedAt: toIsoTime(blockedAt),
    }));
    return { items: hosts, next };
  }

  /**
   * Throws RefusalError 404 for an unknown client that publishes no document, 400 for a URL that cannot be a client
   * id, and for a text that is not a host.
   */
  async block(target: BlockTarget, actor: string) {
    if ('client' in target) {
      const { client } = target;
      await this.expectClient(client);
      await this.blocks.add('client', client);
      this.tellOfClient('client-blocked', client, actor);
    } else {
      const host = hostOf(target.redirectHost);
      await this.blocks.add('redirect-host', host);
      this.tellOfHost('redirect-host-blocked', host, actor);
    }
    return { ...target, blocked: true };
  }

  /** The grants of the client count again. Throws RefusalError 404 for a target that is not blocked. */
  async unblock(target: BlockTarget, actor: string) {
    if ('client' in target) {
      const { client } = target;
      if (!(await this.blocks.remove('client', client))) throw notBlocked();
      this.tellOfClient('client-unblocked', client, actor);
    } else {
      const host = hostOf(target.redirectHost);
      if (!(await this.blocks.remove('redirect-host', host))) throw notBlocked();
      this.tellOfHost('redirect-host-unblocked', host, actor);
    }
    return { ...target, blocked: false };
  }

  /** A client with a published document may be blocked before it first connects. */
  private async expectClient(id: string) {
    if (!isDocumentUrl(id)) await this.clients.get(id);
    else if (!isPossibleDocumentUrl(id)) throw noSuchDocument();
  }

  private tellOfClient(
    type: 'client-blocked' | 'client-unblocked',
    clientId: string,
    actor: string,
  ) {
    this.events.emit({ type, userId: null, clientId, origin: '', actor });
  }

  private tellOfHost(
    type: 'redirect-host-blocked' | 'redirect-host-unblocked',
    host: string,
    actor: string,
  ) {
    this.events.emit({ type, userId: null, origin: '', actor, detail: host, facts: { host } });
  }
}

const notBlocked = () => new RefusalError(404, 'this is not blocked');

const noSuchDocument = () =>
  new RefusalError(
    400,
    'no client can have this id: a published one is the https URL of its document, just as it sends it',
  );

function hostOf(text: string): string {
  const host = normalRedirectHost(text);
  if (host === undefined)
    throw new RefusalError(400, 'a redirect host is a host name or IP address');
  return host;
}
