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
import { usableScopes } from '../grant/permission.js';
import { MachineTokenStore } from '../machine/machine-token.store.js';
import { scopeWords } from '../scope.js';
import { ReuseDetectionService } from '../token/reuse-detection.service.js';
import type { TokenKind } from '../token/token.entity.js';
import { hasKindAndOrigin, type NewToken, type TokenBounds, usabilityOf } from '../token/token.js';
import { TokenStore } from '../token/token.store.js';
import { currentCall, type ProviderCall, UnexpectedLibraryError } from './provider-call.js';

/** Stores nothing: for models that are not used, such as the library's own sessions and interactions. */
export const NULL_ADAPTER: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Published and registered clients; the library itself only adds registered ones. */
const clientAdapter = (clients: ClientsService): Adapter => ({
  ...NULL_ADAPTER,

  async find(id) {
    const call = currentCall();
    const client = call?.client?.client_id === id ? call.client : await clients.find(id);
    if (call && client) call.client = client;
    return client as AdapterPayload | undefined;
  },

  upsert: async (_id, metadata) => clients.registered.insert(metadata),
});

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
const grantAdapter = (stores: Stores): Adapter => ({
  ...NULL_ADAPTER,

  async find(id) {
    const grant = await activeGrant(stores, id);
    if (grant?.origin !== stores.origin) return undefined;
    return {
      kind: 'Grant',
      jti: id,
      accountId: grant.userId,
      clientId: grant.clientId,
      resources: { [resourceOfGrant(grant)]: usableScopes(grant).join(' ') },
      iat: epochSeconds(grant.createdAt),
      exp: Math.ceil(grant.expiresAt / 1000),
    };
  },

  destroy: async (id) => revokeGrant(stores, id),
});

async function activeGrant({ grants }: Stores, id: string) {
  const presented = currentCall()?.lookedUp?.token?.grant;
  if (presented?.id !== id) return grants.findActive(id);
  return presented.revokedAt === null && presented.expiresAt > Date.now() ? presented : undefined;
}

export const tokenAdapter = (kind: TokenKind, stores: Stores): Adapter => ({
  ...NULL_ADAPTER,

  /** Collects the token for the caller of the library, who stores what belongs together in one statement. */
  async upsert(id, payload) {
    const call = currentCall();
    if (!call) throw new UnexpectedLibraryError('it issues tokens outside of a request');
    const generation = generationOf(kind, payload);
    // What was given when the first one was issued: see `find`, and `completeScope` in issue.ts.
    if (kind === 'RefreshToken') payload.scope = call.lookedUp?.token?.payload['scope'] as string;
    call.issued.push(newToken(kind, id, payload, generation, boundsOf(call)));
  },

  /** `consumed` makes the library revoke the grant. A code in a parallel exchange is unknown: revokes nothing. */
  async find(id) {
    const found = await storedToken(stores, kind, valueOf(id));
    if (!found) return kind === 'RefreshToken' ? findReplaced(stores, id) : undefined;
    const payload: AdapterPayload = { ...found.payload, jti: id, rotations: found.generation };
    // What was ever given, so that a refresh may ask for it: clients repeat the scopes of their first request.
    if (kind !== 'AccessToken') payload.scope = found.grant.scope;
    const usability = kind === 'AccessToken' ? 'usable' : usabilityOf(found);
    if (usability === 'in-use') return undefined;
    return usability === 'replayed' ? { ...payload, consumed: true } : payload;
  },

  /** Uses up nothing yet: `TokenStore.redeem` does, together with what the library issues. */
  async consume(id) {
    if (currentCall()?.lookedUp?.value === id) return;
    throw new errors.InvalidGrant('not what was presented');
  },

  destroy: async (id) => stores.tokens.remove(valueOf(id)),
  revokeByGrantId: async (grantId) => revokeGrant(stores, grantId),
});

/** An access token has the generation of the refresh token that is issued with it. */
function generationOf(kind: TokenKind, { rotations }: AdapterPayload): number {
  if (kind !== 'AccessToken') return Number(rotations ?? 0);
  return Provider.ctx?.oidc.entities.RefreshToken?.rotations ?? 0;
}

/** The given scopes that a refresh did not ask for, so that its access token does not follow them. */
function leftOut({ lookedUp }: ProviderCall): string {
  const requested = Provider.ctx?.oidc.params?.['scope'];
  if (typeof requested !== 'string' || requested === '') return '';
  const asked = scopeWords(requested);
  return scopeWords(lookedUp?.token?.grant.scope)
    .filter((name) => !asked.includes(name))
    .join(' ');
}

/** A replica of an earlier version knows `leftOut` alone. */
function boundsOf(call: ProviderCall): TokenBounds {
  const { withheld = [] } = call;
  if (withheld.length === 0) return { leftOut: leftOut(call) };
  const words = new Set([...scopeWords(leftOut(call)), ...withheld]);
  return { leftOut: [...words].join(' '), withheld: withheld.join(' ') };
}

async function storedToken({ tokens, origin }: Stores, kind: TokenKind, value: string) {
  const lookedUp = currentCall()?.lookedUp;
  if (lookedUp?.value !== value) return tokens.find(value, kind, origin);
  const { token } = lookedUp;
  return token && hasKindAndOrigin(token, kind, origin) ? token : undefined;
}

/** A replaced token whose row was deleted, in the form that the library would see with its row. */
async function findReplaced({ tokens, origin }: Stores, id: string) {
  if (currentCall()?.lookedUp?.isReplaced === false) return undefined;
  const successor = await tokens.findSuccessor(valueOf(id), origin);
  return successor && { ...successor.payload, jti: id, consumed: true };
}

const machineTokenAdapter = (origin: string, tokens: MachineTokenStore): Adapter => ({
  ...NULL_ADAPTER,

  /** Throws InvalidClientAuth when the client was deleted meanwhile. */
  async upsert(value, { clientId = '', scope = '', aud, iat = 0, exp = 0 }) {
    const issued = { value, clientId, scope, origin, resource: String(aud) };
    const times = { createdAt: iat * 1000, expiresAt: exp * 1000 };
    if (await tokens.insert({ ...issued, ...times })) return;
    throw new errors.InvalidClientAuth('client was deleted');
  },

  async find(id) {
    const found = await tokens.find(valueOf(id));
    if (found?.origin !== origin) return undefined;
    return {
      kind: 'ClientCredentials',
      jti: id,
      clientId: found.clientId,
      aud: found.resource,
      scope: found.scopes.join(' '),
      iat: epochSeconds(found.createdAt),
      exp: epochSeconds(found.expiresAt),
    };
  },

  destroy: async (id) => tokens.remove(valueOf(id)),
});

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
  bounds: TokenBounds = { leftOut: '' },
): NewToken {
  const { jti: _jti, grantId = '', rotations: _rotations, exp = 0, ...rest } = payload;
  const stored = { ...rest, grantId, exp, ...(kind === 'AccessToken' && bounds) };
  return { kind, value, grantId, generation, payload: stored, expiresAt: exp * 1000 };
}

/** Client assertions that were presented. The library reads and then stores; the insert decides atomically. */
const replayDetectionAdapter = (assertions: AssertionStore): Adapter => ({
  ...NULL_ADAPTER,

  /** Throws InvalidClientAuth for an assertion that was presented before. Of parallel calls exactly one succeeds. */
  async upsert(id, { exp = 0 }) {
    if (await assertions.accept(id, exp * 1000)) return;
    throw wrongAssertion('the jti of the client assertion was used before');
  },
});

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
      Client: clientAdapter(this.clients),
      Grant: grantAdapter(stores),
      AccessToken: tokenAdapter('AccessToken', stores),
      AuthorizationCode: tokenAdapter('AuthorizationCode', stores),
      RefreshToken: tokenAdapter('RefreshToken', stores),
      ClientCredentials: machineTokenAdapter(origin, this.machines),
      ReplayDetection: replayDetectionAdapter(this.assertions),
    };
    return (model) => adapters[model] ?? NULL_ADAPTER;
  }
}
