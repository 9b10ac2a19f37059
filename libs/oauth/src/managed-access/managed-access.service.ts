import { Inject, Injectable } from '@nestjs/common';
import {
  AccountDisabledError,
  ExternalAccountsService,
  RefusalError,
  SecurityEventsService,
  type User,
} from '#libs/accounts';
import { appName, publishedBy } from '../client/client.js';
import { redirectHostsOf } from '../client/redirect-uri.js';
import {
  OAUTH_OPTIONS,
  type OAuthOptions,
  type TrustedIssuer,
} from '../oauth.module-definition.js';
import { OAuthError } from '../oauth-error.js';
import { type Resource, resourceOf, ResourcesService } from '../resource/resource.js';
import { scopeNames, scopeWords } from '../scope.js';
import { AssertionFault, type IdentityAssertion, verifyAssertion } from './identity-assertion.js';
import {
  IssuerKeysService,
  KeysUnavailableError,
  LEAST_BETWEEN_FETCHES_MS,
} from './issuer-keys.service.js';
import { type IssuedToken, type ManagedGrant, ManagedGrantStore } from './managed-grant.store.js';

/** What of the grant type of RFC 7523 is accepted, in the metadata (draft-ietf-oauth-identity-assertion-authz-grant). */
export const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** The request of a client that proved who it is. */
export interface PresentedAssertion {
  /** The issuer of this service. */
  readonly origin: string;
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly redirectUris: readonly string[] | undefined;
  readonly assertion: string;
  /** Narrows the scopes. */
  readonly scope: string | undefined;
  /** The identifier of one of ours. */
  readonly resource: string | undefined;
}

const REFUSALS = {
  disabled: 'the account is disabled',
  full: 'the account has as many connected apps of its own as it may',
};

/** A refused assertion. The description is for the client and tells nothing of the account; `detail` is for events. */
export class AssertionRefusal extends OAuthError {
  constructor(
    error: 'invalid_grant' | 'invalid_target' | 'invalid_scope',
    description: string,
    { name }: Partial<Pick<TrustedIssuer, 'name'>> = {},
    readonly userId: string | null = null,
    reason = description,
  ) {
    super(400, error, description, {}, name === undefined ? reason : `${name}: ${reason}`);
  }
}

/**
 * Gives clients access that a trusted issuer decided about (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant,
 * RFC 7523), without asking the person.
 */
@Injectable()
export class ManagedAccessService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'trustedIssuers'>,
    private readonly keys: IssuerKeysService,
    private readonly resources: ResourcesService,
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

  /**
   * The token that `issue` makes for the grant of the assertion. Throws AssertionRefusal for every fault of the
   * assertion and for a person without an account, and OAuthError 503 when the issuer's keys cannot be fetched. A
   * refused assertion is not used up.
   */
  async accept<Token extends IssuedToken>(
    presented: PresentedAssertion,
    issue: (grant: ManagedGrant, resource: Resource) => Promise<Token>,
  ): Promise<Token> {
    const { origin, clientId } = presented;
    // 1. Type, signature, audience, client, times and identifiers.
    const assertion = await this.verify(presented);
    const { trusted } = assertion;
    // 2. For a resource of ours, and the one that the form names.
    const resource = this.resourceFor(assertion, presented);
    // 3. The scopes that assertion, form and file have in common.
    const scope = scopeFor(assertion, presented, resource);
    // 4. The account of the person; nothing is created for an assertion that was used.
    if (await this.grants.wasUsed(assertion)) throw usedBefore(trusted);
    const user = await this.accountFor(assertion, origin);
    // 5. Once: the assertion, the grant and its token are written together.
    const access = {
      userId: user.id,
      clientId,
      origin,
      resource: resource.resource === resourceOf(origin) ? null : resource.resource,
      scope,
      app: appName(presented),
      clientHosts: JSON.stringify(redirectHostsOf(presented.redirectUris)),
      published: publishedBy(clientId),
      managedBy: trusted.name,
    };
    const given = await this.grants.give(assertion, access, (grant) => issue(grant, resource));
    if (given.refusal !== undefined) {
      if (given.refusal === 'used') throw usedBefore(trusted);
      throw noAccess(trusted, REFUSALS[given.refusal], user.id);
    }
    const { grant, token, ended } = given;
    const type = grant.isNew ? 'managed-access-granted' : 'token-refreshed';
    const { userId, app } = grant;
    const about = { userId, clientId, app, origin };
    this.events.emit({ type, grantId: grant.id, ...about });
    for (const id of ended) this.events.emit({ type: 'grant-replaced', grantId: id, ...about });
    return token;
  }

  private get issuers(): readonly TrustedIssuer[] {
    return this.options.trustedIssuers ?? [];
  }

  private async verify({ assertion, origin, clientId }: PresentedAssertion) {
    try {
      return await verifyAssertion(assertion, {
        audience: origin,
        clientId,
        issuers: this.issuers,
        keyOf: (trusted, header) => this.keys.find(trusted, header),
      });
    } catch (error) {
      if (error instanceof AssertionFault) {
        throw new AssertionRefusal('invalid_grant', error.message, error.trusted);
      }
      if (error instanceof KeysUnavailableError) throw keysUnavailable(error);
      throw error;
    }
  }

  /** That of the assertion, else of the form, else `/svc/mcp`. */
  private resourceFor(
    { resource: named, trusted }: IdentityAssertion,
    { origin, resource: asked }: PresentedAssertion,
  ): Resource {
    const refused = (description: string) =>
      new AssertionRefusal('invalid_target', description, trusted);
    const wanted = named ?? asked;
    if (wanted === undefined) return this.resources.defaultOf(origin);
    const found = this.resources.find(origin, wanted);
    if (!found) throw refused('the assertion is for a resource that is not here');
    if (asked !== undefined && asked !== found.resource) {
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

function scopeFor(
  { trusted, scope: given }: IdentityAssertion,
  { scope: asked }: PresentedAssertion,
  { scopes }: Resource,
): string {
  const allow = (words: string | undefined) => {
    const wanted = scopeWords(words);
    return (name: string) => words === undefined || wanted.includes(name);
  };
  const left = scopeNames(scopes)
    .filter((name) => trusted.scopes.includes(name))
    .filter(allow(given))
    .filter(allow(asked));
  if (left.length > 0) return left.join(' ');
  const description = 'no scope is left that assertion, request and this service all allow';
  throw new AssertionRefusal('invalid_scope', description, trusted);
}

const usedBefore = (trusted: TrustedIssuer) =>
  new AssertionRefusal('invalid_grant', 'the jti of the assertion was used before', trusted);

/** The same answer whatever the reason. */
const noAccess = (trusted: TrustedIssuer, reason: string, userId: string | null = null) =>
  new AssertionRefusal(
    'invalid_grant',
    'the person of the assertion has no access here; contact an administrator of this service',
    trusted,
    userId,
    reason,
  );

const keysUnavailable = ({ message }: KeysUnavailableError) =>
  new OAuthError(
    503,
    'temporarily_unavailable',
    'the keys of the issuer cannot be had right now; try again',
    { 'Retry-After': String(LEAST_BETWEEN_FETCHES_MS / 1000) },
    message,
  );
