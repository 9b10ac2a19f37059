import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  compareSecret,
  ErrorFormat,
  ownOriginOf,
  type SecurityEvent,
  SecurityEventsService,
  VisitorGuard,
} from '#libs/accounts';
import {
  faultOfAssertion,
  invalidClient,
  isMethodAllowed,
  type PresentedCredentials,
  presentedCredentials,
} from '../client/client-authentication.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import { type KnownClient, type MachineLimits, resourceOfMachine } from '../client/client.js';
import { ClientsService } from '../client-document/clients.service.js';
import { isSameRedirect, redirectHostsOf } from '../client/redirect-uri.js';
import { ClientDocumentError } from '../client-document/client-document.js';
import { resourceOfGrant } from '../grant/grant.js';
import { AssertionRefusal, JWT_BEARER } from '../managed-access/managed-access.service.js';
import {
  OAUTH_PATHS,
  oauthErrorBody,
  OAuthErrorFilter,
  PostOnlyGuard,
  readOAuthForm,
} from '../oauth-endpoints.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { callProvider, providerError } from '../provider/provider-call.js';
import { ProvidersService } from '../provider/providers.service.js';
import type { Resource, ResourcesService } from '../resource/resource.js';
import { BETWEEN_SCOPES, scopeNames, scopeWords } from '../scope.js';
import { ReuseDetectionService } from './reuse-detection.service.js';
import { type GrantStatus, isJwt, isOf, type PresentedToken, Redemption } from './token.js';
import { TokenStore } from './token.store.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A parsed request to the token or revocation endpoint. */
interface TokenRequest {
  readonly origin: string;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
  /** Whether the client used the Authorization header. */
  readonly isBasic: boolean;
}

/**
 * The token endpoint (RFC 6749 §3.2), where tokens may also be revoked (RFC 7009): exchanges, refreshes and revokes
 * with the library, after the checks that it makes too late or not at all. Before the steps come the visitor limit
 * (429), the method (405) and CORS.
 */
@Controller()
@UseGuards(VisitorGuard, PostOnlyGuard)
@UseFilters(OAuthErrorFilter)
@ErrorFormat({ bodyOf: oauthErrorBody })
export class TokenController {
  constructor(
    private readonly providers: ProvidersService,
    private readonly clients: ClientsService,
    private readonly blocks: ClientBlockStore,
    private readonly tokens: TokenStore,
    private readonly reuse: ReuseDetectionService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Contract: Token endpoint, Refresh. */
  @All(OAUTH_PATHS.token)
  async token(@Req() request: Request, @Res() response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const asked = await readTokenRequest(request, this.providers.resources);
    const { form } = asked;
    response.set('Pragma', 'no-cache');
    if (!form.has('grant_type') && form.has('token')) {
      await this.revokeToken(asked);
      return void response.json({});
    }
    const issued = await this.issue(asked);
    response.locals['grantType'] = form.get('grant_type');
    response.json(issued);
  }

  /** Contract: Revocation. */
  @All(OAUTH_PATHS.revoke)
  async revoke(@Req() request: Request, @Res() response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const asked = await readTokenRequest(request, this.providers.resources);
    response.set('Pragma', 'no-cache');
    await this.revokeToken(asked);
    response.json({});
  }

  /**
   * Returns a token response (RFC 6749 §5.1): what the library writes, and `resource`; `addJwtBearer` writes that of
   * managed access. Claims of JWTs are in provider-configuration.ts. Throws OAuthError for every refusal.
   */
  private async issue(request: TokenRequest) {
    // 1. Read the code or refresh token with its grant, user and client, in one statement.
    const value = presentedIn(request.form);
    const presented = value === '' ? undefined : await this.tokens.findPresented(value);
    // 2. The client uses its registered way of authentication (RFC 6749 §2.3).
    const client = await this.clientOf(request, presented?.client);
    try {
      // 3. No administrator disabled the account, blocked the client or switched machine clients off.
      const status =
        presented ?? (value === '' ? undefined : await this.tokens.findReplaced(value));
      await this.expectAllowed(client, status);
      this.expectSwitchedOn(client);
      if (client.machine) return await this.issueToMachine(request, client, client.machine);
      if (this.isManaged(request)) return await this.grantManaged(request, client);
      return await this.redeem(request, client, presented);
    } catch (error) {
      this.reportRefusal(error, client, request.origin);
      throw error;
    }
  }

  /**
   * An access token for the client itself (RFC 6749 §4.4), of all its scopes unless it names some. There is no
   * refresh token (§4.4.3). A machine client has no other grant.
   */
  private async issueToMachine(request: TokenRequest, client: KnownClient, limits: MachineLimits) {
    const { origin, form } = request;
    const resource = resourceOfMachine(limits, origin);
    if (!form.has('resource')) form.set('resource', resource);
    if (!form.has('scope')) form.set('scope', limits.scopes.join(' '));
    // 4. The library verifies credentials, resource and scope, and stores the token if the client is still there.
    const { body, context } = await this.ask(OAUTH_PATHS.token, request, client);
    const { ClientCredentials: token } = context.oidc.entities;
    if (!token) throw invalidGrant();
    this.events.emit({ type: 'machine-token-issued', ...namesOf(token), origin });
    return { ...(body as object), resource };
  }

  private async redeem(request: TokenRequest, client: KnownClient, presented?: PresentedToken) {
    const { origin, form } = request;
    if (form.get('grant_type') === 'authorization_code') completeExchange(form, origin, presented);
    // 4. The library verifies credentials, verifier, redirect URI and scope. It issues into the redemption.
    const clientHosts = JSON.stringify(redirectHostsOf(client.redirect_uris));
    const redemption = presented && new Redemption(presented, clientHosts);
    const { body, context } = await this.ask(OAUTH_PATHS.token, request, client, redemption);
    if (!redemption?.isUsed) throw invalidGrant();
    // 5. Write everything at once. Nothing that can fail may follow: the code or refresh token would be used up, and
    // the client's retry would be a replay.
    await this.clients.touch(client.client_id);
    if (!(await this.reuse.redeem(redemption))) throw invalidGrant();
    const { AuthorizationCode: code, RefreshToken: refreshed } = context.oidc.entities;
    if (code) this.events.emit({ type: 'code-exchanged', ...namesOf(code), origin });
    else if (refreshed)
      this.events.emit({ type: 'token-refreshed', ...namesOf(refreshed), origin });
    return { ...(body as object), resource: resourceOfGrant(redemption.presented.grant) };
  }

  private isManaged({ form }: TokenRequest) {
    return this.providers.managedAccess.isOffered && form.get('grant_type') === JWT_BEARER;
  }

  /** Gives access that a trusted issuer decided about (RFC 7523 §2.1). The client has to prove who it is. */
  private async grantManaged(request: TokenRequest, client: KnownClient) {
    if (client.token_endpoint_auth_method === 'none') {
      const description = 'this grant type is for clients that authenticate';
      throw new OAuthError(400, 'unauthorized_client', description);
    }
    if (!request.form.has('assertion')) throw invalidRequest('assertion is missing');
    // The issuer's entry decides which clients may use the grant type, not their registration.
    const allowed = { ...client, grant_types: [...client.grant_types, JWT_BEARER] };
    // 4. The library verifies credentials; ManagedAccessService decides, and writes grant and token at once.
    const { body } = await this.ask(OAUTH_PATHS.token, request, allowed);
    // The token is written: only what never rejects may follow.
    await this.clients.touch(client.client_id);
    return body as object;
  }

  /** Succeeds without effect for tokens that are unknown or belong to another client (RFC 7009 §2.2). */
  private async revokeToken(request: TokenRequest) {
    const client = await this.clientOf(request);
    this.expectSwitchedOn(client);
    const presented = request.form.get('token') ?? '';
    if (this.providers.keys.signer() && isJwt(presented)) {
      return this.revokeJwt(presented, request, client);
    }
    const { context } = await this.ask(OAUTH_PATHS.revoke, request, client);
    const { AccessToken, RefreshToken, ClientCredentials, Client } = context.oidc.entities;
    const token = AccessToken ?? RefreshToken ?? ClientCredentials;
    if (!token || token.clientId !== Client?.clientId) return;
    this.events.emit({ type: 'token-revoked', ...namesOf(token), origin: request.origin });
  }

  /**
   * The library refuses every JWT. It is asked about a text that is no token, so that it verifies the credentials of
   * the client; the row of the JWT is ours, as `storeJwts` stored it.
   */
  private async revokeJwt(jwt: string, request: TokenRequest, client: KnownClient) {
    const { origin, form } = request;
    const withoutJwt = new URLSearchParams(form);
    withoutJwt.set('token', '-');
    await this.ask(OAUTH_PATHS.revoke, { ...request, form: withoutJwt }, client);
    const { AccessToken, ClientCredentials } = this.providers.forOrigin(origin);
    const token = (await AccessToken.find(jwt)) ?? (await ClientCredentials.find(jwt));
    if (token?.clientId !== client.client_id) return;
    await token.destroy();
    this.events.emit({ type: 'token-revoked', ...namesOf(token), origin });
  }

  private async ask(
    target: string,
    { origin, form, isBasic }: TokenRequest,
    client: KnownClient,
    redemption?: Redemption,
  ) {
    const answer = await callProvider(this.providers.forOrigin(origin), {
      target,
      client,
      redemption,
      method: 'POST',
      headers: { 'content-type': FORM_TYPE },
      body: form.toString(),
    });
    if (answer.status === 401) {
      this.reportUnauthenticated(origin, 'its secret or assertion does not fit', client);
    }
    if (answer.status !== 200) throw providerError(answer, isBasic);
    return answer;
  }

  /**
   * The client of the request, with its credentials in the form, where the library verifies them. This requires the
   * registered authentication method, or the other one for its secret, and the error names it. `found` saves the
   * look-up when it is the client in question. Throws OAuthError 401.
   */
  private async clientOf(request: TokenRequest, found?: KnownClient) {
    const { form, origin, authorization, isBasic } = request;
    const readings = presentedCredentials(form, authorization);
    const { client, presented } = await this.readClient(readings, form, found);
    const refused = (description: string) => {
      this.reportUnauthenticated(origin, description, client);
      return invalidClient(description, isBasic);
    };
    if (!client) throw refused('unknown client; it has to ask its user for consent again');
    const { client_id: clientId, token_endpoint_auth_method: registered } = client;
    const { method, secret } = presented;
    if (!isMethodAllowed(registered, method)) {
      throw refused(`the client is registered for ${registered}, not ${method}`);
    }
    const fault = faultOfAssertion(form.get('client_assertion') ?? '', {
      clientId,
      issuer: origin,
    });
    if (fault !== undefined) throw refused(fault);
    form.set('client_id', clientId);
    if (secret !== undefined) form.set('client_secret', secret);
    return client;
  }

  /** The first reading whose client and secret are known, else the first whose client is, else the first. */
  private async readClient(
    readings: readonly [PresentedCredentials, ...PresentedCredentials[]],
    form: URLSearchParams,
    found?: KnownClient,
  ) {
    let read: { presented: PresentedCredentials; client?: KnownClient } = {
      presented: readings[0],
    };
    for (const presented of readings) {
      const { clientId, secret } = presented;
      const client = found?.client_id === clientId ? found : await this.findClient(clientId, form);
      if (!client) continue;
      if (!read.client) read = { presented, client };
      if (readings.length === 1) break;
      if (secret !== undefined && compareSecret(secret, client.client_secret ?? '')) {
        return { presented, client };
      }
    }
    return read;
  }

  /**
   * Undefined for every cause of an unknown client. Fetches a document only when the caller presents a code or
   * token that was issued to the client, or an assertion where the operator listed the client: no other caller can
   * make this service contact a host and learn from the response or its timing what is there. The document of such a
   * client was available before, so a transient failure is 503 and not 401: clients take 401 as the end of their grant.
   */
  private async findClient(clientId: string, form: URLSearchParams) {
    const presented = form.get('refresh_token') ?? form.get('code') ?? form.get('token');
    const mayFetch = async () =>
      (form.get('grant_type') === JWT_BEARER && this.providers.managedAccess.isListed(clientId)) ||
      (presented !== null && (await this.tokens.wasGivenTo(clientId, presented)));
    try {
      return await this.clients.find(clientId, mayFetch);
    } catch (error) {
      if (!(error instanceof ClientDocumentError)) throw error;
      if (!error.transient) return undefined;
      const description = 'the client document cannot be had right now; try again';
      throw new OAuthError(503, 'temporarily_unavailable', description, { 'Retry-After': '30' });
    }
  }

  /**
   * Uses up and revokes nothing: a disabled account may be enabled and a blocked client unblocked later. Looks for
   * blocks again only where the grant does not have the redirect hosts that the client has now.
   */
  private async expectAllowed(
    { client_id: clientId, redirect_uris: uris }: KnownClient,
    status?: GrantStatus,
  ) {
    const own = status?.grant.clientId === clientId ? status : undefined;
    const hosts = redirectHostsOf(uris);
    const isRead = own?.grant.clientHosts === JSON.stringify(hosts);
    if (own?.isClientBlocked || (!isRead && (await this.blocks.isBlocked(clientId, hosts)))) {
      throw new OAuthError(400, 'unauthorized_client', 'this service does not let the client in');
    }
    if (own?.isUserDisabled) throw new OAuthError(400, 'invalid_grant', 'the account is disabled');
  }

  /** The library knows no client of another grant type than it offers. */
  private expectSwitchedOn({ machine }: KnownClient) {
    if (!machine || this.providers.knowMachines) return;
    throw new OAuthError(400, 'unauthorized_client', 'this service has no machine clients');
  }

  /** An unknown client id is not part of the event: it is unverified input of the caller. */
  private reportUnauthenticated(origin: string, detail: string, client?: KnownClient) {
    const known = client && { clientId: client.client_id };
    const type = 'client-authentication-failed';
    this.events.emit({ type, userId: null, ...known, origin, detail });
  }

  /** Emits an event when a known client is refused tokens; a 401 has its own event already. */
  private reportRefusal(error: unknown, { client_id: clientId }: KnownClient, origin: string) {
    if (!(error instanceof OAuthError) || error.status !== 400) return;
    const detail = `${error.error}: ${error.detail}`;
    const isManaged = error instanceof AssertionRefusal;
    const type = isManaged ? 'managed-access-refused' : 'token-refused';
    const userId = isManaged ? error.userId : null;
    this.events.emit({ type, userId, clientId, origin, detail });
  }
}

/** The code or refresh token that the library uses for this grant type; it ignores the other one. */
const presentedIn = (form: URLSearchParams) =>
  form.get(form.get('grant_type') === 'authorization_code' ? 'code' : 'refresh_token') ?? '';

/**
 * OAuth 2.1 clients omit `redirect_uri`, but the library requires it, so this fills in the stored one; also for another
 * spelling of it.
 */
function completeExchange(form: URLSearchParams, origin: string, presented?: PresentedToken) {
  if (!form.has('code_verifier')) throw invalidRequest('code_verifier is missing');
  if (!form.has('code')) return;
  const code = presented && isOf(presented, 'AuthorizationCode', origin) ? presented : undefined;
  const stored = String(code?.payload['redirectUri'] ?? 'about:blank');
  if (isSameRedirect(form.get('redirect_uri') ?? stored, stored)) form.set('redirect_uri', stored);
}

/** The library's own error for an invalid code or refresh token: another request used or ended this one meanwhile. */
const invalidGrant = () =>
  new OAuthError(400, 'invalid_grant', 'grant request is invalid', {}, 'used or ended meanwhile');

interface Issued {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
}

/** The members of a security event that name a token's grant, or its machine client. */
const namesOf = ({ accountId, clientId = '', grantId }: Issued) =>
  ({
    userId: accountId ?? null,
    clientId,
    ...(grantId === undefined ? {} : { grantId }),
  }) satisfies Partial<SecurityEvent>;

/** What the endpoint reads; a request that repeats another parameter is refused without its name. */
const PARAMETERS = new Set([
  'grant_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
  'assertion',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

/** Without these in its body a request may be complete. */
const OPTIONAL = new Set(['client_id', 'redirect_uri', 'scope', 'token_type_hint']);

/**
 * Reads a token or revocation request. White space at the ends of names and values does not count. Empty parameters
 * count as absent and repeated ones are refused (OAuth 2.1 §3.2), except for a client_id that is the same. A resource
 * that is not ours is refused here because the library would use up the code or refresh token first; the same one may
 * be given several times (RFC 8707 §2). Throws OAuthError 400 and 413.
 */
async function readTokenRequest(
  request: Request,
  resources: ResourcesService,
): Promise<TokenRequest> {
  const { origin } = ownOriginOf(request);
  const { authorization } = request.headers;
  const form = new URLSearchParams();
  const read = new Set<string>();
  for (const [name, value] of trimmed(await readOAuthForm(request))) {
    if (value === '' || (name === 'resource' && read.has(value))) continue;
    if (name !== 'resource') {
      if (name === 'client_id' && form.get(name) === value) continue;
      if (form.has(name)) {
        throw invalidRequest(`${PARAMETERS.has(name) ? name : 'a parameter'} is given twice`);
      }
      form.append(name, value);
      continue;
    }
    read.add(value);
    const found = resources.find(origin, value);
    if (!found) throw unknownResource(resources.all(origin));
    const other = form.get('resource');
    if (other !== null && other !== found.resource) {
      throw invalidTarget('a token is for one resource, but the request names two');
    }
    form.set('resource', found.resource);
  }
  expectNothingInQuery(request, form);
  cleanScope(form, origin, resources);
  return { origin, form, authorization, isBasic: authorization !== undefined };
}

/** Throws OAuthError 400 for JSON that is called a form. */
function trimmed(form: URLSearchParams) {
  const parameters = Array.from(form, ([name, value]) => [name.trim(), value.trim()] as const);
  if (parameters[0]?.[0].startsWith('{')) {
    throw invalidRequest('parameters belong into the form-encoded body, not into JSON');
  }
  return parameters;
}

/** The query is ignored, unless it has what the body lacks. */
function expectNothingInQuery({ originalUrl, headers }: Request, form: URLSearchParams) {
  const query = new URLSearchParams(originalUrl.split('?')[1]);
  const isMissing = (name: string) =>
    PARAMETERS.has(name) &&
    !form.has(name) &&
    (!OPTIONAL.has(name) || (name === 'client_id' && headers.authorization === undefined));
  if ([...query.keys()].some(isMissing)) {
    throw invalidRequest('parameters belong into the form-encoded body, not into the query');
  }
}

/**
 * A refresh is answered without the scopes that do not exist (any more), which clients repeat from their first request;
 * where none is left, as without a scope. Names that commas or line breaks join are read one by one: else a client that
 * asks for less would get all. Of several spaces one counts.
 */
function cleanScope(form: URLSearchParams, origin: string, resources: ResourcesService) {
  const isRefresh = form.get('grant_type') === 'refresh_token';
  const existing = isRefresh ? scopeNames(resources.scopesOf(origin)) : undefined;
  const asked = scopeWords(form.get('scope') ?? '', isRefresh ? BETWEEN_SCOPES : ' ');
  const words = asked.filter((word) => existing?.includes(word) ?? true);
  if (words.length > 0) form.set('scope', words.join(' '));
  else form.delete('scope');
}

const invalidTarget = (description: string) => new OAuthError(400, 'invalid_target', description);

const unknownResource = ([only, ...others]: readonly [Resource, ...Resource[]]) =>
  invalidTarget(
    others.length === 0
      ? `the only resource here is ${only.resource}`
      : 'that is no resource of this server, whose metadata lists them',
  );
