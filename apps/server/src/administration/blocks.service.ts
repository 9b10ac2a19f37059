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
import { mapPage, toIsoTime } from './values.js';

/** A client by its id, or all clients that redirect to a host. */
type BlockTarget = { readonly client: string } | { readonly redirectHost: string };

/** Blocked clients and redirect hosts for operators. */
@Injectable()
export class BlocksAdministrationService {
  constructor(
    private readonly clients: ClientStore,
    private readonly blocks: ClientBlockStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Blocked redirect hosts, the most recently blocked first. @throws UnknownPageError */
  async listHosts(asked: PageRequest) {
    return mapPage(await this.blocks.listHosts(asked), ({ redirectHost, blockedAt }) => ({
      redirectHost,
      blockedAt: toIsoTime(blockedAt),
    }));
  }

  /**
   * Throws RefusalError 404 for an unknown client that publishes no document, 400 for a URL that cannot be a client
   * id, and for a text that is not a host.
   */
  async block(target: BlockTarget, actor: string) {
    if ('client' in target) await this.expectClient(target.client);
    const [kind, value] = blockOf(target);
    await this.blocks.add(kind, value);
    this.tell(`${kind}-blocked`, value, actor);
    return { ...target, blocked: true };
  }

  /** The grants of the client count again. Throws RefusalError 404 for a target that is not blocked. */
  async unblock(target: BlockTarget, actor: string) {
    const [kind, value] = blockOf(target);
    if (!(await this.blocks.remove(kind, value))) throw notBlocked();
    this.tell(`${kind}-unblocked`, value, actor);
    return { ...target, blocked: false };
  }

  /** A client with a published document may be blocked before it first connects. */
  private async expectClient(id: string) {
    if (!isDocumentUrl(id)) await this.clients.get(id);
    else if (!isPossibleDocumentUrl(id)) throw noSuchDocument();
  }

  private tell(type: `${BlockKind}-${'blocked' | 'unblocked'}`, value: string, actor: string) {
    const about = type.startsWith('client')
      ? { clientId: value }
      : { detail: value, facts: { host: value } };
    this.events.emit({ type, userId: null, origin: '', actor, ...about });
  }
}

type BlockKind = 'client' | 'redirect-host';

const blockOf = (target: BlockTarget): readonly [BlockKind, string] =>
  'client' in target ? ['client', target.client] : ['redirect-host', hostOf(target.redirectHost)];

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
