import { Injectable } from '@nestjs/common';
import { RefusalError, SecurityEventsService } from '#libs/accounts';
import { ClientBlocks, ClientsDirectory, normalRedirectHost, publishedBy } from '#libs/oauth';

/** A client by its id, or all that are redirected to a host. */
export type BlockTarget = { readonly client: string } | { readonly redirectHost: string };

/** Clients that are kept out, for those who run the service, as UsersAdministrationService has accounts. */
@Injectable()
export class BlocksAdministrationService {
  constructor(
    private readonly clients: ClientsDirectory,
    private readonly blocks: ClientBlocks,
    private readonly events: SecurityEventsService,
  ) {}

  /** Throws RefusalError 404 for an unknown client that publishes no document, 400 for what is no host. */
  async block(target: BlockTarget, actor: string) {
    if ('client' in target) {
      const { client } = target;
      if (publishedBy(client) === null) await this.clients.get(client);
      await this.blocks.add('client', client);
      this.tellOfClient('client-blocked', client, actor);
    } else {
      const host = hostOf(target.redirectHost);
      await this.blocks.add('redirect-host', host);
      this.tellOfHost('redirect-host-blocked', host, actor);
    }
    return { ...target, blocked: true };
  }

  /** What it had been given counts again. Throws RefusalError 404 for what is not blocked. */
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

  private tellOfClient(
    type: 'client-blocked' | 'client-unblocked',
    clientId: string,
    actor: string,
  ) {
    this.events.emit({ type, userId: null, clientId, origin: '', actor });
  }

  private tellOfHost(
    type: 'redirect-host-blocked' | 'redirect-host-unblocked',
    detail: string,
    actor: string,
  ) {
    this.events.emit({ type, userId: null, origin: '', actor, detail });
  }
}

const notBlocked = () => new RefusalError(404, 'this is not blocked');

function hostOf(text: string): string {
  const host = normalRedirectHost(text);
  if (host === undefined)
    throw new RefusalError(400, 'a redirect host is a host name or IP address');
  return host;
}
