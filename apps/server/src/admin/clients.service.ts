import { Inject, Injectable } from '@nestjs/common';
import {
  isLoopbackHostname,
  RefusalError,
  SecurityEventsService,
  type SecurityEventType,
} from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import {
  ClientBlockStore,
  ClientStore,
  type ClientRecord,
  ClientCredentialsService,
  type IssuedClient,
  isDocumentUrl,
  isPossibleDocumentUrl,
  machineAccountOf,
  type NewClient,
  type NewMachineClient,
  normalRedirectHost,
  redirectHostsOf,
} from '#libs/oauth';
import type { PageRequest } from '#libs/platform';
import {
  ADMINISTRATION_OPTIONS,
  type AdministrationOptions,
  type MachineResource,
} from './administration.module-definition.js';
import { mapPage, toIsoTime } from './operation/values.js';

/** A client by its id, or all clients that redirect to a host. */
export type BlockTarget = { readonly client: string } | { readonly redirectHost: string };

/** A machine client to make; with keys it authenticates by `private_key_jwt` unless it says otherwise. */
type AskedMachineClient = Omit<NewMachineClient, 'auth'> & {
  readonly auth?: NewMachineClient['auth'] | undefined;
};

/** OAuth clients, and what is blocked of them, for operators. */
@Injectable()
export class ClientsAdministrationService {
  constructor(
    private readonly clients: ClientStore,
    private readonly credentials: ClientCredentialsService,
    private readonly blocks: ClientBlockStore,
    private readonly events: SecurityEventsService,
    private readonly budgets: BudgetService,
    @Inject(ADMINISTRATION_OPTIONS) private readonly options: AdministrationOptions,
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
    return withOAuthNames(issued);
  }

  /**
   * Returns the secret this once; a client with keys has none. Throws RefusalError 404 while the service has no
   * machine clients, 400 for an unknown resource or scope and for bad keys.
   */
  async createMachine(asked: AskedMachineClient, actor: string) {
    const { machineResources: offered } = this.options;
    if (!offered) throw new RefusalError(404, 'machine clients are off; set MACHINE_CLIENTS=on');
    const found = offered.find(
      ({ resource }) =>
        resource === asked.resource || (!resource && this.isEndpoint(asked.resource)),
    );
    if (!found) throw new RefusalError(400, unknownResource(offered));
    if (asked.scopes.some((scope) => !found.scopes.includes(scope))) {
      throw new RefusalError(400, `a scope is not one of: ${found.scopes.join(', ')}`);
    }
    const { auth = asked.jwks === undefined ? 'client_secret_basic' : 'private_key_jwt' } = asked;
    const scopes = [...new Set(asked.scopes)];
    const issued = await this.credentials.createMachine({ ...asked, scopes, auth });
    this.tell('client-created', issued.id, actor);
    return withOAuthNames(issued);
  }

  /** Whether a resource is `/svc/mcp` of an origin of the service, as its metadata has it. */
  private isEndpoint(resource: string | undefined): boolean {
    const { publicOrigins } = this.options;
    const { origin, protocol, hostname } = URL.parse(resource ?? '') ?? {};
    if (origin === undefined || resource !== `${origin}/svc/mcp`) return false;
    return (
      publicOrigins?.includes(origin) ??
      (protocol === 'http:' && isLoopbackHostname(hostname ?? ''))
    );
  }

  /** Throws RefusalError 409 for a client without a secret. */
  async rotateSecret(id: string, actor: string) {
    const issued = await this.credentials.rotateSecret(id);
    this.tell('client-secret-rotated', id, actor);
    return issued;
  }

  /** Ends the client's grants or tokens too. A client with a published document may connect again. */
  async remove(id: string, actor: string) {
    const { kind } = await this.clients.get(id);
    const endedApps = await this.clients.remove(id, async (manager) => {
      if (kind === 'machine') await this.budgets.forget(machineAccountOf(id), manager);
    });
    this.tell('client-deleted', id, actor);
    return { id, endedApps };
  }

  /** Blocked redirect hosts, the most recently blocked first. @throws UnknownPageError */
  async listBlockedHosts(asked: PageRequest) {
    return mapPage(await this.blocks.listHosts(asked), ({ redirectHost, blockedAt }) => ({
      redirectHost,
      blockedAt: toIsoTime(blockedAt),
    }));
  }

  /**
   * Throws RefusalError 404 for an unknown client that publishes no document, 400 for a URL that cannot be a client
   * id, and for a text that is not a host.
   */
  async block<Target extends BlockTarget>(target: Target, actor: string) {
    if ('client' in target) await this.expectClient(target.client);
    const block = blockOf(target);
    await this.blocks.add(block.kind, block.value);
    this.tellOfBlock('blocked', block, actor);
    return { ...target, blocked: true };
  }

  /** The grants of the client count again. Throws RefusalError 404 for a target that is not blocked. */
  async unblock<Target extends BlockTarget>(target: Target, actor: string) {
    const block = blockOf(target);
    if (!(await this.blocks.remove(block.kind, block.value))) {
      throw new RefusalError(404, 'this is not blocked');
    }
    this.tellOfBlock('unblocked', block, actor);
    return { ...target, blocked: false };
  }

  /** A client with a published document may be blocked before it first connects. */
  private async expectClient(id: string) {
    if (!isDocumentUrl(id)) await this.clients.get(id);
    else if (!isPossibleDocumentUrl(id)) {
      const message =
        'no client can have this id: a published one is the https URL of its document, just as it sends it';
      throw new RefusalError(400, message);
    }
  }

  private tell(type: SecurityEventType, clientId: string, actor: string) {
    this.events.emit({ type, userId: null, clientId, origin: '', actor });
  }

  private tellOfBlock(what: 'blocked' | 'unblocked', { kind, value }: Block, actor: string) {
    if (kind === 'client') return this.tell(`client-${what}`, value, actor);
    const facts = { host: value };
    const type = `redirect-host-${what}` as const;
    this.events.emit({ type, userId: null, origin: '', actor, detail: value, facts });
  }
}

/** The same members for every client, by their names here and by those of OAuth. */
const withOAuthNames = ({ id, secret }: IssuedClient) => ({
  id,
  secret,
  clientId: id,
  ...(secret === null ? {} : { clientSecret: secret }),
});

function unknownResource(offered: readonly MachineResource[]) {
  const listed = offered.flatMap(({ resource }) => resource ?? []);
  const others =
    listed.length === 0 ? 'RESOURCES_FILE lists no others' : `others are ${listed.join(', ')}`;
  return `leave the resource out for /svc/mcp; ${others} that machine clients may have`;
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
  blockedHosts: redirectHostsOf(client.redirectUris).filter((host) => hosts.has(host)),
});

interface Block {
  readonly kind: 'client' | 'redirect-host';
  readonly value: string;
}

const blockOf = (target: BlockTarget): Block =>
  'client' in target
    ? { kind: 'client', value: target.client }
    : { kind: 'redirect-host', value: hostOf(target.redirectHost) };

function hostOf(text: string): string {
  const host = normalRedirectHost(text);
  if (host === undefined)
    throw new RefusalError(400, 'a redirect host is a host name or IP address');
  return host;
}
