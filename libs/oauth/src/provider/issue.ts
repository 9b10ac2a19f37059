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

/** A request of a client that is known and let in. What it presents is for the library to validate. */
export interface CheckedRequest {
  /** The issuer. */
  readonly origin: string;
  readonly client: KnownClient;
  /** Cleaned parameters, with `client_id` and the secret or assertion of the client; completed for the library. */
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
  lookedUp: LookedUpToken,
): Promise<IssuedTokens & { readonly response: object }> {
  const { token: presented } = lookedUp;
  if (request.form.get('grant_type') === 'authorization_code') {
    completeRedirectUri(request, presented);
  }
  const answer = await post(providers, OAUTH_PATHS.token, request, { lookedUp });
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
 * The library requires `redirect_uri` and compares it letter by letter. Clients of OAuth 2.1 omit it (§4.1.3), and some
 * spell it in another way: these get the one that the code was issued for. Before the library finds that a code is
 * unknown, it requires the parameter too, and then any URI of the client will do.
 */
function completeRedirectUri({ form, client }: CheckedRequest, code: PresentedToken | undefined) {
  const stored = String(code?.payload['redirectUri'] ?? client.redirect_uris[0] ?? '');
  if (isSameRedirect(form.get('redirect_uri') ?? stored, stored)) form.set('redirect_uri', stored);
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
 * Has the library verify the credentials of a client that presents an assertion of a trusted issuer (RFC 7523 §3.1).
 * It issues nothing. The library looks for the grant type in the registration of the client; it is added here, since
 * the issuer's entry decides which clients may use it. Throws OAuthError.
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

/** An access token that is not stored yet, with the token response. */
export interface IssuedAccessToken {
  readonly token: NewToken;
  readonly response: object;
}

/** An access token from the library for a grant that the caller begins or prolongs. */
export async function issueAccessToken(
  providers: ProvidersService,
  client: AuthenticatedClient,
  grant: Pick<GrantEntity, 'id' | 'userId' | 'origin' | 'scope' | 'createdAt'>,
  target: Resource,
): Promise<IssuedAccessToken> {
  const { id: grantId, userId: accountId, scope } = grant;
  const { resource } = target;
  const { AccessToken, ResourceServer } = providers.forOrigin(grant.origin);
  const { server, expiresIn } = providers.accessTokensFor(target, grant.createdAt);
  const resourceServer = new ResourceServer(resource, server);
  const members = { accountId, client, grantId, gty: JWT_BEARER, scope, resourceServer, expiresIn };
  const token = await prepareToken('AccessToken', new AccessToken(members as never));
  const response = {
    access_token: token.value,
    expires_in: expiresIn,
    scope,
    token_type: 'Bearer',
  };
  return { token, response: { ...response, resource } };
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
  call: Pick<ProviderRequest, 'lookedUp' | 'jwt'> = {},
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
