import { Inject, Injectable } from '@nestjs/common';
import {
  AccountDisabledError,
  ExternalAccountsService,
  RefusalError,
  SecurityEventsService,
  type User,
} from '#libs/accounts';
import {
  type AccessQuestion,
  AccessRefusedError,
  asTokenError,
} from '../access-policy/access-decision.service.js';
import { appName, publishedBy } from '../client/client.js';
import { redirectHostsOf } from '../client/redirect-uri.js';
import {
  OAUTH_OPTIONS,
  type OAuthOptions,
  type TrustedIssuer,
} from '../oauth.module-definition.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import {
  authenticateForAssertion,
  type CheckedRequest,
  issueAccessToken,
} from '../provider/issue.js';
import { ProvidersService } from '../provider/providers.service.js';
import { type Resource, resourceOf } from '../resource/resource.js';
import { scopeNames, scopeWords } from '../scope.js';
import {
  AssertionRefusal,
  type IdentityAssertion,
  noAccess,
  usedBefore,
  verifyAssertion,
} from './identity-assertion.js';
import {
  IssuerKeysService,
  KeysUnavailableError,
  LEAST_BETWEEN_FETCHES_MS,
} from './issuer-keys.service.js';
import { ManagedGrantStore } from './managed-grant.store.js';

/** What of the grant type of RFC 7523 is accepted, in the metadata (draft-ietf-oauth-identity-assertion-authz-grant). */
export const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** Gives clients access that a trusted issuer decided about (ID-JAG, RFC 7523), without asking the person. */
@Injectable()
export class ManagedAccessService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'trustedIssuers'>,
    private readonly keys: IssuerKeysService,
    private readonly providers: ProvidersService,
    private readonly accounts: ExternalAccountsService,
    private readonly grants: ManagedGrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Whether the grant type exists. */
  get isOffered(): boolean {
    return this.options.trustedIssuers !== undefined;
  }

  /** Whether a client may present assertions of some issuer. */
  isListed(clientId: string): boolean {
    return this.issuers.some(({ clients }) => clients.includes(clientId));
  }

  /** The token response. Throws AssertionRefusal, OAuthError 401, and 503 when keys cannot be fetched. */
  async issue(request: CheckedRequest): Promise<object> {
    const { origin, client, form } = request;
    const { client_id: clientId, client_name: clientName } = client;
    // 1. The client has to authenticate (RFC 7523 §3.1): the library verifies its credentials.
    if (client.token_endpoint_auth_method === 'none') {
      const description = 'this grant type is for clients that authenticate';
      throw new OAuthError(400, 'unauthorized_client', description);
    }
    const presented = form.get('assertion');
    if (presented === null) throw invalidRequest('assertion is missing');
    const authenticated = await authenticateForAssertion(this.providers, request);
    // 2. Type, signature, audience, client, times and identifiers.
    const assertion = await this.verify(presented, origin, clientId);
    const { trusted } = assertion;
    // 3. For a resource of ours, and the one that the form names.
    const resource = this.resourceFor(assertion, request);
    // 4. The scopes that assertion, form and file have in common.
    const scopes = scopesFor(assertion, request, resource);
    // 5. The account of the person; nothing is created for an assertion that was used.
    if (await this.grants.wasUsed(assertion)) throw usedBefore(trusted);
    const user = await this.accountFor(assertion, origin);
    const hosts = redirectHostsOf(client.redirect_uris);
    const app = appName({ clientId, clientName });
    const scope = await this.narrow(trusted, {
      userId: user.id,
      client: { id: clientId, name: app, redirectHosts: hosts },
      resource: resource.resource,
      scopes,
      step: 'managed',
    });
    // 6. Once: the assertion, the grant and the token that the library issues for it are written together.
    const access = {
      userId: user.id,
      clientId,
      origin,
      resource: resource.resource === resourceOf(origin) ? null : resource.resource,
      scope,
      app,
      clientHosts: JSON.stringify(hosts),
      published: publishedBy(clientId),
      managedBy: trusted.name,
    };
    const person = { issuer: trusted.issuer, subject: assertion.subject };
    const { grant, issued, ended } = await this.grants.give(
      assertion,
      access,
      async (begun, manager) => {
        const isLinked = await this.accounts.holdLink(manager, person, user.id);
        if (!isLinked) throw noAccess(trusted, 'the subject was unlinked meanwhile', user.id);
        return issueAccessToken(this.providers, authenticated, begun, resource);
      },
    );
    const type = grant.isNew ? 'managed-access-granted' : 'token-refreshed';
    const { userId } = grant;
    const about = { userId, clientId, app, origin };
    this.events.emit({ type, grantId: grant.id, ...about });
    for (const id of ended) this.events.emit({ type: 'grant-replaced', grantId: id, ...about });
    return issued.response;
  }

  /** The scopes that the policy leaves. */
  private async narrow(trusted: TrustedIssuer, question: AccessQuestion): Promise<string> {
    try {
      return (await this.providers.access.narrow(question)).join(' ');
    } catch (error) {
      if (!(error instanceof AccessRefusedError)) throw asTokenError(error);
      throw noAccess(trusted, error.message, question.userId);
    }
  }

  private get issuers(): readonly TrustedIssuer[] {
    return this.options.trustedIssuers ?? [];
  }

  private async verify(assertion: string, origin: string, clientId: string) {
    try {
      return await verifyAssertion(assertion, {
        audience: origin,
        clientId,
        issuers: this.issuers,
        keyOf: (trusted, header) => this.keys.find(trusted, header),
      });
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) throw error;
      const description = 'the keys of the issuer cannot be had right now; try again';
      const headers = { 'Retry-After': String(LEAST_BETWEEN_FETCHES_MS / 1000) };
      throw new OAuthError(503, 'temporarily_unavailable', description, headers, error.message);
    }
  }

  /** That of the assertion, else of the form, else `/svc/mcp`. */
  private resourceFor(
    { resource: asserted, trusted }: IdentityAssertion,
    { origin, form }: CheckedRequest,
  ): Resource {
    const refused = (description: string) =>
      new AssertionRefusal('invalid_target', description, trusted);
    const requested = form.get('resource') ?? undefined;
    const identifier = asserted ?? requested;
    const { resources } = this.providers;
    if (identifier === undefined) return resources.defaultOf(origin);
    const found = resources.find(origin, identifier);
    if (!found) throw refused('the assertion is for a resource that is not here');
    if (requested !== undefined && requested !== found.resource) {
      throw refused('the assertion is for another resource than the request');
    }
    return found;
  }

  private async accountFor(assertion: IdentityAssertion, origin: string): Promise<User> {
    const { trusted, subject, name } = assertion;
    const { issuer } = trusted;
    try {
      if (trusted.accounts === 'linked') {
        const linked = await this.accounts.find({ issuer, subject });
        if (!linked) throw noAccess(trusted, 'no account is linked to the subject');
        return linked;
      }
      const displayName = typeof name === 'string' ? name : undefined;
      const person = { issuer, subject, displayName, issuerName: trusted.name };
      const admission = { origin, signUpApplies: false };
      const { user, isNew } = await this.accounts.findOrCreate(person, admission);
      const detail = `by ${issuer}`;
      if (isNew) this.events.emit({ type: 'sign-up', userId: user.id, origin, detail });
      return user;
    } catch (error) {
      if (!(error instanceof RefusalError) || error.status >= 500) throw error;
      const userId = error instanceof AccountDisabledError ? error.userId : null;
      throw noAccess(trusted, error.message, userId);
    }
  }
}

function scopesFor(
  { trusted, scope: asserted }: IdentityAssertion,
  { form }: CheckedRequest,
  { scopes }: Resource,
): readonly string[] {
  const requested = form.get('scope') ?? undefined;
  const limits = [asserted, requested].flatMap((scope) =>
    scope === undefined ? [] : [scopeWords(scope)],
  );
  const allowed = scopeNames(scopes).filter((name) =>
    [trusted.scopes, ...limits].every((limit) => limit.includes(name)),
  );
  if (allowed.length > 0) return allowed;
  const description = 'no scope is left that assertion, request and this service all allow';
  throw new AssertionRefusal('invalid_scope', description, trusted);
}
