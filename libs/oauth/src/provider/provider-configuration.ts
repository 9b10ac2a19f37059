import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
  type ResourceServer,
} from 'oidc-provider';
import { compareSecret } from '#libs/accounts';
import { epochSeconds, type JsonObject } from '#libs/platform';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  CLIENT_AUTH_METHODS,
  faultOfClaims,
  MAX_AHEAD_SECONDS,
} from '../client/client-authentication.js';
import { resourceOfMachine } from '../client/client.js';
import { isUsableRedirect, matchesRegistered, redirectUriFault } from '../client/redirect-uri.js';
import {
  ACCESS_TOKEN_LIFETIME_MS,
  CODE_LIFETIME_MS,
  GRANT_LIFETIME_MS,
  latestEndOf,
} from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import type { Resource } from '../resource/resource.js';
import { scopeNames, scopeWords } from '../scope.js';
import { JWT_LIFETIME_MS, privateJwk, type SigningKey } from '../signing/signing-key.js';
import { newRefreshToken } from '../token/refresh-token.js';
import { currentCall, UnexpectedLibraryError } from './provider-call.js';
import { wrongAssertion } from './provider-storage.js';

/** Replaces methods. Throws UnexpectedLibraryError when one is missing or has another number of parameters. */
export function replaceMethods<T extends object>(
  prototype: T,
  replacements: Partial<T> & ThisType<T>,
): void {
  for (const [name, replacement] of Object.entries(replacements)) {
    expectMethod(prototype, name, (replacement as () => unknown).length);
  }
  Object.assign(prototype, replacements);
}

/** Throws UnexpectedLibraryError unless the method exists with this number of parameters. */
function expectMethod(prototype: object, name: string, parameters: number): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new UnexpectedLibraryError(`there is no ${name}()`);
  if (method.length === parameters) return;
  const counts = `${method.length} parameters instead of ${parameters}`;
  throw new UnexpectedLibraryError(`${name}() takes ${counts}`);
}

type ClientModel = InstanceType<Provider['Client']>;

interface MetadataSchema {
  readonly redirect_uris: readonly string[];
  /** Throws the library's InvalidClientMetadata; `invalid_redirect_uri` when the message is about that. */
  invalidate(message: string, code?: string): never;
  redirectUris(): void;
}

/**
 * Replaces a provider's client rules: all loopback addresses and several kinds of redirect URIs in one client are
 * accepted, and secrets are compared by hash. Throws UnexpectedLibraryError.
 */
export function applyClientRules(provider: Provider, privateUseSchemes: readonly string[]): void {
  const client: ClientModel = provider.Client.prototype;
  replaceMethods(client, {
    redirectUriAllowed(uri: string) {
      return (
        isUsableRedirect(uri, privateUseSchemes) && matchesRegistered(uri, this.redirectUris ?? [])
      );
    },
    compareClientSecret(presented: string) {
      return compareSecret(presented, this.clientSecret ?? '');
    },
  });
  const context = prototypeOf<ContextModel>(provider, 'OIDCContext');
  replaceMethods(context, {
    clientJwtAuthExpectedAudience() {
      return new Set([provider.issuer, `${provider.issuer}/`]);
    },
  });
  const schema = prototypeOf<MetadataSchema>(provider.Client, 'Schema', 'Client.Schema');
  expectMethod(schema, 'invalidate', 2);
  replaceMethods(schema, {
    redirectUris() {
      for (const uri of this.redirect_uris) {
        const fault = redirectUriFault(uri);
        if (fault !== undefined) this.invalidate(`redirect_uris ${fault}`);
      }
    },
  });
}

/** The audiences that a client assertion may have; not in the library's types. */
interface ContextModel {
  clientJwtAuthExpectedAudience(): Set<string>;
}

/** The prototype of a class that is not in the library's types. Throws UnexpectedLibraryError without it. */
function prototypeOf<T>(owner: object, name: string, what = name): T {
  const found = Reflect.get(owner, name) as { readonly prototype: T } | undefined;
  if (!found) throw new UnexpectedLibraryError(`there is no ${what}`);
  return found.prototype;
}

/** Generates the value of a token before it is saved; not in the library's types. */
interface TokenModel {
  generateTokenId(): string;
}

/** Gives refresh tokens an authenticator, and a rotated one its family. Throws UnexpectedLibraryError. */
export function authenticateRefreshTokens(provider: Provider, key: KeyObject): void {
  const model = provider.RefreshToken.prototype as unknown as TokenModel;
  expectMethod(model, 'generateTokenId', 0);
  const { generateTokenId } = model;
  replaceMethods(model, {
    generateTokenId() {
      const random = generateTokenId.call(this);
      const presented = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
      return newRefreshToken(key, random, presented);
    },
  });
}

interface Issued {
  readonly value: string;
  /** What the library stores; it stores nothing for a JWT. */
  readonly payload?: AdapterPayload;
}

/** An access token of a person or a machine before it is saved; not in the library's types. */
interface AccessTokenModel {
  readonly adapter: Adapter;
  readonly format?: string;
  getValueAndPayload(): Promise<Issued>;
}

/** Stores access tokens that are JWTs too, so that each has a row. Throws UnexpectedLibraryError. */
export function storeJwts(provider: Provider): void {
  const opaque = provider.BaseToken.prototype as unknown as AccessTokenModel;
  expectMethod(opaque, 'getValueAndPayload', 0);
  for (const { prototype } of [provider.AccessToken, provider.ClientCredentials]) {
    const model = prototype as unknown as AccessTokenModel;
    expectMethod(model, 'getValueAndPayload', 0);
    const { getValueAndPayload } = model;
    replaceMethods(model, {
      async getValueAndPayload() {
        if (this.format !== 'jwt') return getValueAndPayload.call(this);
        const { payload } = await opaque.getValueAndPayload.call(this);
        if (!payload) throw new UnexpectedLibraryError('it stores tokens in another way');
        // So that the times in the row are those in the JWT.
        Object.assign(this, { iat: payload.iat, exp: payload.exp });
        const issued = await getValueAndPayload.call(this);
        await this.adapter.upsert(issued.value, payload, 0);
        return issued;
      },
    });
  }
}

/** The grant type of RFC 7523 §2.1. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Adds that grant type. The library only authenticates the client; `authenticateForAssertion` calls it. */
export function addJwtBearer(provider: Provider): void {
  const parameters = ['assertion', 'scope', 'resource'];
  const issueNothing = async (context: KoaContextWithOIDC) => void (context.body = {});
  provider.registerGrantType(JWT_BEARER, issueNothing, parameters);
}

interface ProviderParts extends Pick<Configuration, 'adapter' | 'findAccount' | 'fetch'> {
  readonly origin: string;
  /** Of this origin, the default one first. */
  readonly resources: readonly [Resource, ...Resource[]];
  /** Signs access tokens of resources that have JWTs; those have none without it. */
  readonly signer?: SigningKey | undefined;
  readonly grantMaxAgeMs?: number | undefined;
  readonly machineClients?: boolean | undefined;
}

const seconds = (milliseconds: number) => milliseconds / 1000;

/** The library registers clients only with a key for ID tokens, although it never issues one here. */
const unusedKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  format: 'jwk',
});

/** Replaces ten rules about the library's own sessions and consents, which are not used. */
const alwaysAsk = new interactionPolicy.Prompt(
  { name: 'login' },
  new interactionPolicy.Check('no_session', 'End-User authentication is required', () => true),
);

/** OAuth 2.1 without OpenID Connect; a comment gives the reason for each deviation from a default. */
export function providerConfiguration({
  origin,
  resources,
  signer,
  grantMaxAgeMs,
  machineClients = false,
  ...parts
}: ProviderParts): Configuration {
  return {
    ...parts,
    clients: [],
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    jwks: { keys: [unusedKey as never, ...(signer ? [privateJwk(signer) as never] : [])] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: [...CLIENT_ASSERTION_ALGORITHMS],
    },
    // An assertion that is verified has the claims that `TokenClientsService` has looked at, which are ours to judge. The
    // library accepts an extension of JWS that it understands.
    clockTolerance: MAX_AHEAD_SECONDS,
    assertJwtClientAuthClaimsAndHeader: async (_context, claims, { crit }, { clientId }) => {
      const fault = faultOfClaims(claims as JsonObject, { clientId, issuer: origin });
      if (fault !== undefined) throw wrongAssertion(fault);
      if (crit !== undefined) throw wrongAssertion('the client assertion must not have crit');
    },
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.register,
      revocation: OAUTH_PATHS.revoke,
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: machineClients },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: mayRevokeGrant },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resources[0].resource,
        useGrantedResource: () => true,
        getResourceServerInfo: async (context, indicator) => {
          const requested = context.oidc.params?.['resource'];
          const resource = expectOneOf(resources, requested, indicator);
          const scopes = machineScopes(context, indicator, scopeNames(resource.scopes));
          const scope = (await narrowed(context, scopes)).join(' ');
          return { ...resourceServerOf(resource, signer), scope };
        },
      },
    },
    // By default the library requires the scope `offline_access`, which clients do not send.
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // By default tokens would end with the library's own session, which is not used.
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: (_context, { resourceServer }) =>
        accessTokenSeconds(resourceServer, latestEndOfPresented(grantMaxAgeMs)),
      ClientCredentials: (_context, { resourceServer }) => accessTokenSeconds(resourceServer),
      AuthorizationCode: seconds(CODE_LIFETIME_MS),
      RefreshToken: seconds(GRANT_LIFETIME_MS),
      Grant: seconds(GRANT_LIFETIME_MS),
      Interaction: seconds(CODE_LIFETIME_MS),
      Session: seconds(CODE_LIFETIME_MS),
      IdToken: seconds(CODE_LIFETIME_MS),
    },
    // Never followed: a valid request is answered with our page.
    interactions: { url: () => OAUTH_PATHS.authorize, policy: [alwaysAsk] },
    renderError: (context, error) => {
      context.body = error;
    },
  };
}

/** The resource that is looked up, where the library would accept several in `requested`. Throws InvalidTarget. */
function expectOneOf(resources: readonly Resource[], requested: unknown, indicator: string) {
  const known = (identifier: unknown) => resources.find(({ resource }) => resource === identifier);
  const resource = known(indicator);
  if (!resource) throw new errors.InvalidTarget();
  if (Array.isArray(requested) && requested.every(known)) {
    throw new errors.InvalidTarget('only one resource can be requested at a time');
  }
  return resource;
}

/** The scopes that a client may have; the library would drop others silently. @throws InvalidTarget, InvalidScope */
function machineScopes(
  { oidc }: KoaContextWithOIDC,
  resource: string,
  scopes: readonly string[],
): readonly string[] {
  const machine = currentCall()?.client?.machine;
  if (!machine) return scopes;
  if (resource !== resourceOfMachine(machine, oidc.provider.issuer)) {
    throw new errors.InvalidTarget('the client may not have tokens for this resource');
  }
  const allowed = scopes.filter((scope) => machine.scopes.includes(scope));
  const requested = scopeWords(oidc.params?.['scope'] as string | undefined);
  const beyond = requested.find((scope) => !allowed.includes(scope));
  if (beyond === undefined && requested.length > 0) return allowed;
  throw new errors.InvalidScope('the client may not have this scope', beyond ?? '');
}

/** The library asks for the resource earlier, too: the grant is there once the code or refresh token is verified. */
async function narrowed({ oidc }: KoaContextWithOIDC, scopes: readonly string[]) {
  const call = currentCall();
  if (!call?.narrow || !oidc.entities.Grant) return scopes;
  const allowed = await call.narrow(scopes);
  call.withheld = scopes.filter((scope) => !allowed.includes(scope));
  return allowed;
}

const OPAQUE_TOKENS = {
  accessTokenTTL: seconds(ACCESS_TOKEN_LIFETIME_MS),
  accessTokenFormat: 'opaque',
} as const;

/** Without a key the library refuses to sign, as a server error. */
const jwtsBy = (signer: SigningKey | undefined) =>
  ({
    accessTokenTTL: seconds(JWT_LIFETIME_MS),
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: signer?.alg ?? 'EdDSA', kid: signer?.kid ?? '' } },
  }) as const;

/** A resource as the library describes it: its scopes, and the form and lifetime of its access tokens. */
export const resourceServerOf = (
  { resource, scopes, tokens }: Resource,
  signer: SigningKey | undefined,
) => ({
  scope: scopeNames(scopes).join(' '),
  audience: resource,
  ...(tokens === 'jwt' ? jwtsBy(signer) : OPAQUE_TOKENS),
});

/** The lifetime of an access token, or what is left of its grant, which ends at `endsAt` (epoch milliseconds). */
export function accessTokenSeconds(
  server: Pick<ResourceServer, 'accessTokenTTL'> | undefined,
  endsAt = Infinity,
): number {
  const lifetime = server?.accessTokenTTL ?? seconds(ACCESS_TOKEN_LIFETIME_MS);
  return Math.max(1, Math.min(lifetime, epochSeconds(endsAt) - epochSeconds(Date.now())));
}

/** Of the grant of the code or refresh token that the request presents. */
function latestEndOfPresented(grantMaxAgeMs: number | undefined): number | undefined {
  const grant = currentCall()?.lookedUp?.token?.grant;
  return grant && latestEndOf(grant, grantMaxAgeMs);
}

/** A refresh token ends its grant, an access token itself, another client's nothing, silently (RFC 7009 §2.2). */
const mayRevokeGrant: NonNullable<
  NonNullable<NonNullable<Configuration['features']>['revocation']>['allowedPolicy']
> = async (_context, client, token) => {
  if (token.clientId !== client.clientId) return false;
  if (token.kind !== 'AccessToken') return true;
  await token.destroy();
  return false;
};
