import type { AdapterPayload, Provider } from 'oidc-provider';
import { hashSecret } from '#libs/accounts';
import { type KnownClient, type MachineLimits, resourceOfMachine } from '../client/client.js';
import { isSameRedirect, redirectHostsOf } from '../client/redirect-uri.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { resourceOfGrant } from '../grant/grant.js';
import { usableScopes } from '../grant/permission.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAuthError } from '../oauth-error.js';
import type { Resource } from '../resource/resource.js';
import { scopeWords } from '../scope.js';
import type { TokenKind } from '../token/token.entity.js';
import {
  isJwt,
  type IssuedTokens,
  type LookedUpToken,
  type NewToken,
  type PresentedToken,
} from '../token/token.js';
import {
  callProvider,
  providerError,
  type ProviderRequest,
  UnexpectedLibraryError,
} from './provider-call.js';
import { JWT_BEARER } from './provider-configuration.js';
import { newToken } from './provider-storage.js';
import type { ProvidersService } from './providers.service.js';

/** A request of a known client that may use the service. The library validates what the request presents. */
export interface CheckedRequest {
  readonly origin: string;
  readonly client: KnownClient;
  /** Cleaned parameters, with `client_id` and the secret or assertion of the client; completed for the library. */
  readonly form: URLSearchParams;
  /** Whether the client used the Authorization header. */
  readonly isBasic: boolean;
}

/** Exchanges a code (RFC 6749 §4.1.3, RFC 7636 §4.6) or refreshes (§6); stores nothing yet. Throws OAuthError. */
export async function issueTokens(
  providers: ProvidersService,
  request: CheckedRequest,
  lookedUp: LookedUpToken,
  narrow: NonNullable<ProviderRequest['narrow']>,
): Promise<IssuedTokens & { readonly response: object }> {
  const { token: presented } = lookedUp;
  if (request.form.get('grant_type') === 'authorization_code') {
    completeRedirectUri(request, presented);
  } else {
    completeScope(request, presented);
  }
  const answer = await post(providers, OAUTH_PATHS.token, request, { lookedUp, narrow });
  const { body, issued, context } = answer;
  const { AuthorizationCode, RotatedRefreshToken } = context.oidc.entities;
  const used = AuthorizationCode ?? RotatedRefreshToken;
  if (!presented || used?.jti !== presented.value) throw invalidGrant();
  return {
    presented,
    clientHosts: JSON.stringify(redirectHostsOf(request.client.redirect_uris)),
    tokens: issued,
    response: { ...(body as object), resource: resourceOfGrant(presented.grant) },
  };
}

/**
 * The library requires `redirect_uri` and compares it letter by letter. Clients of OAuth 2.1 omit it (§4.1.3) or spell
 * it differently: they get that of the code. The library refuses an unknown code, whatever the redirect URI.
 */
function completeRedirectUri({ form, client }: CheckedRequest, code: PresentedToken | undefined) {
  const stored = String(code?.payload['redirectUri'] ?? client.redirect_uris[0] ?? '');
  if (isSameRedirect(form.get('redirect_uri') ?? stored, stored)) form.set('redirect_uri', stored);
}

/**
 * Clients repeat the scopes of their first request at each refresh. So that they keep scopes that their person allowed
 * later, a refresh can leave out only scopes that the refresh token itself has.
 */
function completeScope({ form }: CheckedRequest, refreshed: PresentedToken | undefined) {
  const asked = scopeWords(form.get('scope') ?? '');
  if (asked.length === 0) return;
  const known = scopeWords(refreshed?.payload['scope'] as string | undefined);
  const since = scopeWords(refreshed?.grant.scope).filter((name) => !known.includes(name));
  form.set('scope', [...new Set([...asked, ...since])].join(' '));
}

/** As the library's error for an invalid code or refresh token: another request used or ended this one meanwhile. */
export const invalidGrant = () =>
  new OAuthError(400, 'invalid_grant', 'grant request is invalid', {}, 'used or ended meanwhile');

/** An access token for a machine client (RFC 6749 §4.4), of all its scopes by default. Throws OAuthError. */
export async function issueToMachine(
  providers: ProvidersService,
  request: CheckedRequest,
  limits: MachineLimits,
): Promise<object> {
  const { origin, form } = request;
  const resource = resourceOfMachine(limits, origin);
  if (!form.has('resource')) form.set('resource', resource);
  if (!form.has('scope')) form.set('scope', limits.scopes.join(' '));
  const { body, context } = await post(providers, OAUTH_PATHS.token, request);
  if (!context.oidc.entities.ClientCredentials) throw invalidGrant();
  return { ...(body as object), resource };
}

/**
 * Has the library verify the credentials of a client that presents an assertion (RFC 7523 §3.1). The grant type is
 * added to its registration here: the issuer's entry decides which clients may use it. Throws OAuthError.
 */
export async function authenticateForAssertion(
  providers: ProvidersService,
  request: CheckedRequest,
): Promise<AuthenticatedClient> {
  const grantTypes = [...request.client.grant_types, JWT_BEARER];
  const client = { ...request.client, grant_types: grantTypes };
  const { context } = await post(providers, OAUTH_PATHS.token, { ...request, client });
  if (context.oidc.client) return context.oidc.client;
  throw new UnexpectedLibraryError('no client is known');
}

type AuthenticatedClient = InstanceType<Provider['Client']>;

export interface IssuedAccessToken {
  readonly token: NewToken;
  readonly response: object;
}

export async function issueAccessToken(
  providers: ProvidersService,
  client: AuthenticatedClient,
  grant: Pick<
    GrantEntity,
    'id' | 'userId' | 'origin' | 'scope' | 'permissions' | 'createdAt' | 'endsAt'
  >,
  target: Resource,
): Promise<IssuedAccessToken> {
  const { id: grantId, userId: accountId } = grant;
  const scope = usableScopes(grant).join(' ');
  const { resource } = target;
  const { AccessToken, ResourceServer } = providers.forOrigin(grant.origin);
  const { server, expiresIn } = providers.accessTokensFor(target, grant);
  const resourceServer = new ResourceServer(resource, server);
  const members = { accountId, client, grantId, gty: JWT_BEARER, scope, resourceServer, expiresIn };
  const token = await prepareToken('AccessToken', new AccessToken(members as never), grant.scope);
  const body = { access_token: token.value, expires_in: expiresIn, scope, token_type: 'Bearer' };
  return { token, response: { ...body, resource } };
}

/**
 * A new code or token as the library would store it, for the caller to store together with its grant. Outside of a
 * request to it the library has one adapter for all; this token gets one of its own, to know what it stores. `given`
 * are the scopes that an access token is bound to.
 */
export async function prepareToken(
  kind: TokenKind,
  token: { save(): Promise<string> },
  given?: string,
): Promise<NewToken> {
  const saved: AdapterPayload[] = [];
  const adapter = { upsert: async (_id: string, payload: AdapterPayload) => saved.push(payload) };
  const value = await Object.defineProperty(token, 'adapter', { value: adapter }).save();
  const [payload] = saved;
  if (!payload) throw new UnexpectedLibraryError('it stores tokens in another way');
  return newToken(kind, value, payload, 0, given === undefined ? undefined : { given });
}

/**
 * Revokes a token (RFC 7009 §2.1) and returns whose it was; undefined if unknown or another client's. The library
 * refuses a JWT by its form: it is asked about its hash, which its storage takes for the JWT. Throws OAuthError.
 */
export async function revokeToken(providers: ProvidersService, request: CheckedRequest) {
  const { form } = request;
  const token = form.get('token') ?? '';
  const jwt = providers.keys.signer() && isJwt(token) ? token : undefined;
  if (jwt !== undefined) form.set('token', hashSecret(jwt));
  const { context } = await post(providers, OAUTH_PATHS.revoke, request, { jwt });
  const { AccessToken, RefreshToken, ClientCredentials } = context.oidc.entities;
  const person = AccessToken ?? RefreshToken;
  const { client_id: clientId } = request.client;
  if ((person ?? ClientCredentials)?.clientId !== clientId) return undefined;
  return { userId: person?.accountId ?? null, clientId, grantId: person?.grantId };
}

async function post(
  providers: ProvidersService,
  target: string,
  { origin, client, form, isBasic }: CheckedRequest,
  call: Pick<ProviderRequest, 'lookedUp' | 'jwt' | 'narrow'> = {},
) {
  const answer = await callProvider(providers.forOrigin(origin), {
    ...call,
    client,
    target,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  if (answer.status !== 200) throw providerError(answer, isBasic);
  return answer;
}
