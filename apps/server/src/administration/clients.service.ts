import { Injectable } from '@nestjs/common';
import { SecurityEventsService, type SecurityEventType } from '#libs/accounts';
import {
  ClientBlockStore,
  ClientStore,
  type ClientRecord,
  ClientCredentialsService,
  type NewClient,
  redirectHostOf,
} from '#libs/oauth';
import type { PageRequest } from '#libs/platform';
import { mapPage, toIsoTime } from './values.js';

/** OAuth clients for operators. */
@Injectable()
export class ClientsAdministrationService {
  constructor(
    private readonly clients: ClientStore,
    private readonly credentials: ClientCredentialsService,
    private readonly blocks: ClientBlockStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Newest first. @throws UnknownPageError */
  async list(asked: PageRequest) {
    const page = await this.clients.list(asked);
    const hosts = await this.blocks.allHosts();
    return mapPage(page, (client) => toClient(client, hosts));
  }

  /** `apps` is the number of active grants. */
  async show(id: string) {
    const client = await this.clients.get(id);
    const apps = await this.clients.countGrants(id);
    return { ...toClient(client, await this.blocks.allHosts()), apps };
  }

  /** Returns the secret this once; null for a public client. Throws RefusalError 400 for invalid metadata. */
  async create(client: NewClient, actor: string) {
    const issued = await this.credentials.create(client);
    this.tell('client-created', issued.id, actor);
    return issued;
  }

  /** Throws RefusalError 409 for a client without a secret. */
  async rotateSecret(id: string, actor: string) {
    const issued = await this.credentials.rotateSecret(id);
    this.tell('client-secret-rotated', id, actor);
    return issued;
  }

  /** Ends the client's grants too. A client with a published document may connect again. */
  async remove(id: string, actor: string) {
    await this.clients.get(id);
    const endedApps = await this.clients.remove(id);
    this.tell('client-deleted', id, actor);
    return { id, endedApps };
  }

  private tell(type: SecurityEventType, clientId: string, actor: string) {
    this.events.emit({ type, userId: null, clientId, origin: '', actor });
  }
}

/** `blockedHosts` are those of the client's redirect hosts that are blocked at present. */
const toClient = (
  { createdAt, lastUsedAt, blocked, ...client }: ClientRecord,
  hosts: ReadonlySet<string>,
) => ({
  ...client,
  createdAt: toIsoTime(createdAt),
  lastUsedAt: toIsoTime(lastUsedAt),
  blocked,
  blockedHosts: hostsOf(client).filter((host) => hosts.has(host)),
});

const hostsOf = ({ redirectUris }: Pick<ClientRecord, 'redirectUris'>) => [
  ...new Set(redirectUris.flatMap((uri) => redirectHostOf(uri) ?? [])),
];
