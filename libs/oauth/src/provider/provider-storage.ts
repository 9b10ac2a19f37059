import { Injectable } from '@nestjs/common';
import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  errors,
  Provider,
} from 'oidc-provider';
import { hashSecret } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import { AssertionStore } from '../client/assertion.store.js';
import { ClientsService } from '../client-document/clients.service.js';
import { resourceOfGrant } from '../grant/grant.js';
import { GrantStore } from '../grant/grant.store.js';
import { MachineTokenStore } from '../machine/machine-token.store.js';
import { ReuseDetectionService } from '../token/reuse-detection.service.js';
import type { TokenKind } from '../token/token.entity.js';
import {
  hasKindAndOrigin,
  type NewToken,
  type PresentedToken,
  usabilityOf,
} from '../token/token.js';
import { TokenStore } from '../token/token.store.js';
import { currentCall, UnexpectedLibraryError } from './provider-call.js';

/** Stores nothing: for models that are not used, such as the library's own sessions and interactions. */
export class NullAdapter implements Adapter {
  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(_userCode: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  async revokeByGrantId(_grantId: string): Promise<void> {}
}

/** Published and registered clients; the library itself only adds registered ones. */
class ClientAdapter extends NullAdapter {
  constructor(private readonly clients: ClientsService) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const call = currentCall();
    const client = call?.client?.client_id === id ? call.client : await this.clients.find(id);
    if (call && client) call.client = client;
    return client as AdapterPayload | undefined;
  }

  override async upsert(_id: string, metadata: AdapterPayload) {
    await this.clients.registered.insert(metadata);
  }
}

interface Stores {
  readonly origin: string;
  readonly grants: GrantStore;
  readonly tokens: TokenStore;
  readonly reuse: ReuseDetectionService;
}

/** Ends a grant for the library. At the token endpoint the library revokes only because of a replay. */
async function revokeGrant({ grants, reuse }: Stores, grantId: string): Promise<void> {
  if (Provider.ctx?.oidc.route === 'token') await reuse.endReplayed(grantId);
  else await grants.revoke(grantId);
}

/** Grants of one origin as the library reads them; consents create them, the library never does. */
class GrantAdapter extends NullAdapter {
  constructor(private readonly stores: Stores) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { origin } = this.stores;
    const grant = await this.active(id);
    if (grant?.origin !== origin) return undefined;
    return {
      kind: 'Grant',
      jti: id,
      accountId: grant.userId,
      clientId: grant.clientId,
      resources: { [resourceOfGrant(grant)]: grant.scope },
      iat: epochSeconds(grant.createdAt),
      exp: Math.ceil(grant.expiresAt / 1000),
    };
  }

  private async active(id: string) {
    const presented = currentCall()?.lookedUp?.token?.grant;
    if (presented?.id !== id) return this.stores.grants.findActive(id);
    return presented.revokedAt === null && presented.expiresAt > Date.now() ? presented : undefined;
  }

  override async destroy(id: string) {
    await revokeGrant(this.stores, id);
  }
}

export class TokenAdapter extends NullAdapter {
  constructor(
    private readonly kind: TokenKind,
    private readonly stores: Stores,
  ) {
    super();
  }

  /** Collects the token for the caller of the library, who stores what belongs together in one statement. */
  override async upsert(id: string, payload: AdapterPayload) {
    const call = currentCall();
    if (!call) throw new UnexpectedLibraryError('it issues tokens outside of a request');
    call.issued.push(newToken(this.kind, id, payload, this.generationOf(payload)));
  }

  /**
   * A token as the library sees it; `consumed` makes the library revoke the grant. A code that another request
   * exchanges at this moment is unknown, so that nothing is revoked.
   */
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.stored(valueOf(id));
    if (!found) return this.kind === 'RefreshToken' ? this.findReplaced(id) : undefined;
    const payload: AdapterPayload = { ...found.payload, jti: id, rotations: found.generation };
    const usability = this.kind === 'AccessToken' ? 'usable' : usabilityOf(found);
    if (usability === 'in-use') return undefined;
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  }

  /** Uses up nothing yet: `TokenStore.redeem` does, together with what the library issues. */
  override async consume(id: string) {
    if (currentCall()?.lookedUp?.value === id) return;
    throw new errors.InvalidGrant('not what was presented');
  }

  override async destroy(id: string) {
    await this.stores.tokens.remove(valueOf(id));
  }

  override async revokeByGrantId(grantId: string) {
    await revokeGrant(this.stores, grantId);
  }

  /** An access token has the generation of the refresh token that is issued with it. */
  private generationOf({ rotations }: AdapterPayload): number {
    if (this.kind !== 'AccessToken') return Number(rotations ?? 0);
    return Provider.ctx?.oidc.entities.RefreshToken?.rotations ?? 0;
  }

  private async stored(value: string): Promise<PresentedToken | undefined> {
    const { tokens, origin } = this.stores;
    const lookedUp = currentCall()?.lookedUp;
    if (lookedUp?.value !== value) return tokens.find(value, this.kind, origin);
    const { token } = lookedUp;
    return token && hasKindAndOrigin(token, this.kind, origin) ? token : undefined;
  }

  /** A replaced token whose row was deleted, in the form that the library would see with its row. */
  private async findReplaced(id: string): Promise<AdapterPayload | undefined> {
    const { tokens, origin } = this.stores;
    if (currentCall()?.lookedUp?.isReplaced === false) return undefined;
    const successor = await tokens.findSuccessor(valueOf(id), origin);
    return successor && { ...successor.payload, jti: id, consumed: true };
  }
}

class MachineTokenAdapter extends NullAdapter {
  constructor(
    private readonly origin: string,
    private readonly tokens: MachineTokenStore,
  ) {
    super();
  }

  /** Throws InvalidClientAuth when the client was deleted meanwhile. */
  override async upsert(value: string, payload: AdapterPayload) {
    const { clientId = '', scope = '', aud, iat = 0, exp = 0 } = payload;
    const issued = { value, clientId, scope, origin: this.origin, resource: String(aud) };
    const times = { createdAt: iat * 1000, expiresAt: exp * 1000 };
    if (await this.tokens.insert({ ...issued, ...times })) return;
    throw new errors.InvalidClientAuth('client was deleted');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.tokens.find(valueOf(id));
    if (found?.origin !== this.origin) return undefined;
    return {
      kind: 'ClientCredentials',
      jti: id,
      clientId: found.clientId,
      aud: found.resource,
      scope: found.scopes.join(' '),
      iat: epochSeconds(found.createdAt),
      exp: epochSeconds(found.expiresAt),
    };
  }

  override async destroy(id: string) {
    await this.tokens.remove(valueOf(id));
  }
}

/** The token that the library means by an id: a JWT has its hash as the id, see `revokeToken` in issue.ts. */
function valueOf(id: string): string {
  const jwt = currentCall()?.jwt;
  return jwt !== undefined && id === hashSecret(jwt) ? jwt : id;
}

export function newToken(
  kind: TokenKind,
  value: string,
  payload: AdapterPayload,
  generation: number,
): NewToken {
  const { jti: _jti, grantId = '', rotations: _rotations, exp = 0, ...rest } = payload;
  const stored = { ...rest, grantId, exp };
  return { kind, value, grantId, generation, payload: stored, expiresAt: exp * 1000 };
}

/** Client assertions that were presented. The library reads and then stores; the insert decides atomically. */
class ReplayDetectionAdapter extends NullAdapter {
  constructor(private readonly assertions: AssertionStore) {
    super();
  }

  /** Throws InvalidClientAuth for an assertion that was presented before. Of parallel calls exactly one succeeds. */
  override async upsert(id: string, { exp = 0 }: AdapterPayload) {
    if (await this.assertions.accept(id, exp * 1000)) return;
    throw wrongAssertion('the jti of the client assertion was used before');
  }
}

/** The error tells the client what is wrong. */
export const wrongAssertion = (error_description: string) =>
  Object.assign(new errors.InvalidClientAuth(error_description), { error_description });

@Injectable()
export class AdapterFactoryService {
  constructor(
    private readonly clients: ClientsService,
    private readonly assertions: AssertionStore,
    private readonly grants: GrantStore,
    readonly tokens: TokenStore,
    private readonly reuse: ReuseDetectionService,
    private readonly machines: MachineTokenStore,
  ) {}

  forOrigin(origin: string): AdapterFactory {
    const { tokens, grants, reuse } = this;
    const stores = { tokens, grants, reuse, origin };
    const adapters: Readonly<Record<string, Adapter>> = {
      Client: new ClientAdapter(this.clients),
      Grant: new GrantAdapter(stores),
      AccessToken: new TokenAdapter('AccessToken', stores),
      AuthorizationCode: new TokenAdapter('AuthorizationCode', stores),
      RefreshToken: new TokenAdapter('RefreshToken', stores),
      ClientCredentials: new MachineTokenAdapter(origin, this.machines),
      ReplayDetection: new ReplayDetectionAdapter(this.assertions),
    };
    return (model) => adapters[model] ?? new NullAdapter();
  }
}
