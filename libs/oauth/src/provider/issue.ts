import type { AdapterPayload, Provider } from 'oidc-provider';
import { hashSecret } from '#libs/accounts';
import { type KnownClient, type MachineLimits, resourceOfMachine } from '../client/client.js';
import { isSameRedirect, redirectHostsOf } from '../client/redirect-uri.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { resourceOfGrant } from '../grant/grant.js';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { OAuthError } from '../oauth-error.js';
import type { Resource } from '../resource/resource.js';
import type { TokenKind } from '../token/token.entity.js';
import {
  hasKindAndOrigin,
  isJwt,
  type IssuedTokens,
  type LookedUpToken,
  type NewToken,
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

/** A request of a client that is known and let in. What it presents is for the library to validate. */
export interface CheckedRequest {
  /** The issuer. */
  readonly origin: string;
  /** Cleaned parameters, with `client_id` and the secret or assertion of the client. */
  readonly form: URLSearchParams;
  /** Whether the client used the Authorization header. */
  readonly isBasic: boolean;
}

/**
 * Has the library exchange a code (RFC 6749 §4.1.3, RFC 7636 §4.6) or refresh (RFC 6749 §6). It verifies the
 * credentials of the client, code or refresh token, verifier, redirect URI, resource and scope. Nothing is stored yet.
 * Returns the tokens with the token response (§5.1). Throws OAuthError.
 */
export async function issueTokens(
  providers: ProvidersService,
  request: CheckedRequest,
  client: KnownClient,
  lookedUp: LookedUpToken,
): Promise<IssuedTokens & { readonly response: object }> {
  const form = withRedirectUri(request, client, lookedUp);
  const call = { client, lookedUp };
  const { body, issued, context } = await post(
    providers,
    OAUTH_PATHS.token,
    { ...request, form },
    call,
  );
  const { AuthorizationCode, RotatedRefreshToken } = context.oidc.entities;
  const { token: presented } = lookedUp;
  const used = AuthorizationCode ?? RotatedRefreshToken;
  if (!presented || used?.jti !== presented.value) throw invalidGrant();
  return {
    presented,
    clientHosts: JSON.stringify(redirectHostsOf(client.redirect_uris)),
    tokens: issued,
    response: { ...(body as object), resource: resourceOfGrant(presented.grant) },
  };
}

/**
 * The library requires `redirect_uri` and compares it letter by letter. Clients of OAuth 2.1 omit it (§4.1.3), and some
 * spell it in another way: these get the one that the code was issued for. Before the library finds that a code is
 * unknown, it requires the parameter too, and then any URI of the client will do.
 */
function withRedirectUri(
  { origin, form }: CheckedRequest,
  { redirect_uris: [first = ''] }: KnownClient,
  { token }: LookedUpToken,
): URLSearchParams {
  if (form.get('grant_type') !== 'authorization_code') return form;
  const code = token && hasKindAndOrigin(token, 'AuthorizationCode', origin) ? token : undefined;
  const stored = String(code?.payload['redirectUri'] ?? first);
  if (!isSameRedirect(form.get('redirect_uri') ?? stored, stored)) return form;
  const completed = new URLSearchParams(form);
  completed.set('redirect_uri', stored);
  return completed;
}

/** The library's own error for an invalid code or refresh token: another request used or ended this one meanwhile. */
export const invalidGrant = () =>
  new OAuthError(400, 'invalid_grant', 'grant request is invalid', {}, 'used or ended meanwhile');

/**
 * Has the library issue an access token for a machine client itself (RFC 6749 §4.4), of all its scopes unless it names
 * some, and store it. It verifies the credentials of the client, resource and scope. Returns the token response.
 * Throws OAuthError.
 */
export async function issueToMachine(
  providers: ProvidersService,
  request: CheckedRequest,
  client: KnownClient,
  limits: MachineLimits,
): Promise<object> {
  const resource = resourceOfMachine(limits, request.origin);
  const form = new URLSearchParams(request.form);
  if (!form.has('resource')) form.set('resource', resource);
  if (!form.has('scope')) form.set('scope', limits.scopes.join(' '));
  const completed = { ...request, form };
  const { body, context } = await post(providers, OAUTH_PATHS.token, completed, { client });
  if (!context.oidc.entities.ClientCredentials) throw invalidGrant();
  return { ...(body as object), resource };
}

/**
 * Has the library verify the credentials of a client that presents an assertion of a trusted issuer (RFC 7523 §3.1).
 * It issues nothing. The library looks for the grant type in the registration of the client; it is added here, since
 * the issuer's entry decides which clients may use it. Throws OAuthError.
 */
export async function authenticateForAssertion(
  providers: ProvidersService,
  request: CheckedRequest,
  client: KnownClient,
): Promise<AuthenticatedClient> {
  const allowed = { ...client, grant_types: [...client.grant_types, JWT_BEARER] };
  const { context } = await post(providers, OAUTH_PATHS.token, request, { client: allowed });
  if (context.oidc.client) return context.oidc.client;
  throw new UnexpectedLibraryError('no client is known');
}

type AuthenticatedClient = InstanceType<Provider['Client']>;

/** An access token that is not stored yet, with the other members of the token response. */
export interface IssuedAccessToken {
  readonly row: NewToken;
  /** Identifier of its resource. */
  readonly resource: string;
  readonly scope: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** An access token from the library for a grant that the caller begins or prolongs. */
export async function issueAccessToken(
  providers: ProvidersService,
  client: AuthenticatedClient,
  grant: Pick<GrantEntity, 'id' | 'userId' | 'origin' | 'scope' | 'createdAt'>,
  resource: Resource,
): Promise<IssuedAccessToken> {
  const { id: grantId, userId: accountId, scope } = grant;
  const { AccessToken, ResourceServer } = providers.forOrigin(grant.origin);
  const { server, expiresIn } = providers.accessTokensFor(resource, grant.createdAt);
  const resourceServer = new ResourceServer(resource.resource, server);
  const members = { accountId, client, grantId, gty: JWT_BEARER, scope, resourceServer, expiresIn };
  const row = await prepareToken('AccessToken', new AccessToken(members as never));
  return { row, resource: resource.resource, scope, expiresIn };
}

/**
 * A new code or token as the library would store it, for the caller to store together with its grant. Outside of a
 * request to it the library has one adapter for all; this token gets one of its own, to know what it stores.
 */
export async function prepareToken(
  kind: TokenKind,
  token: { save(): Promise<string> },
): Promise<NewToken> {
  const saved: AdapterPayload[] = [];
  const adapter = { upsert: async (_id: string, payload: AdapterPayload) => saved.push(payload) };
  const value = await Object.defineProperty(token, 'adapter', { value: adapter }).save();
  const [payload] = saved;
  if (!payload) throw new UnexpectedLibraryError('it stores tokens in another way');
  return newToken(kind, value, payload, 0);
}

/**
 * Has the library revoke a token (RFC 7009 §2.1), and returns whose it was: undefined for a token that is unknown or
 * another client's. The library verifies the credentials of the client. It refuses every JWT by its form, although
 * those that are issued here have a row: it is asked about the hash of one, which its storage takes for the JWT.
 * Throws OAuthError.
 */
export async function revokeToken(
  providers: ProvidersService,
  request: CheckedRequest,
  client: KnownClient,
) {
  const token = request.form.get('token') ?? '';
  const jwt = providers.keys.signer() && isJwt(token) ? token : undefined;
  const form = new URLSearchParams(request.form);
  if (jwt !== undefined) form.set('token', hashSecret(jwt));
  const call = { client, jwt };
  const { context } = await post(providers, OAUTH_PATHS.revoke, { ...request, form }, call);
  const { AccessToken, RefreshToken, ClientCredentials } = context.oidc.entities;
  const person = AccessToken ?? RefreshToken;
  const { client_id: clientId } = client;
  if ((person ?? ClientCredentials)?.clientId !== clientId) return undefined;
  return { userId: person?.accountId ?? null, clientId, grantId: person?.grantId };
}

async function post(
  providers: ProvidersService,
  target: string,
  { origin, form, isBasic }: CheckedRequest,
  call: Pick<ProviderRequest, 'client' | 'lookedUp' | 'jwt'>,
) {
  const answer = await callProvider(providers.forOrigin(origin), {
    ...call,
    target,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  if (answer.status !== 200) throw providerError(answer, isBasic);
  return answer;
}
