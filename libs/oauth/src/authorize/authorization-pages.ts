import { Inject, Injectable } from '@nestjs/common';
import { AccountPolicy, type Session } from '#libs/accounts';
import {
  builtInPageLanguages,
  type ConsentContext,
  consentPage,
  type OpenInTabContext,
  openInTabPage,
  type Page,
  type PageContext,
  type RefusedContext,
  refusedPage,
  signInPage,
  textFor,
  wantedLocales,
  type Wishes,
} from '#libs/ui-templates';
import {
  AccessDecisionsService,
  AccessRefusedError,
} from '../access-policy/access-decision.service.js';
import { publishedBy } from '../client/client.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import { type AuthorizationRequest, ConsentStore } from '../consent/consent.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { resourceOf } from '../resource/resource.js';
import { scopeNames } from '../scope.js';
import { responseLocation } from './authorization-request.js';
import { authorizeRefusal } from './authorize-refusals.js';

/**
 * The pages at the authorization endpoint. A custom page has to send the same headers as the built-in
 * one, and a custom consent form has to post `handle`, `scope` and `decision`, and to name the `resource` that it
 * is given.
 */
export abstract class AuthorizationPages {
  static readonly portOf = 'oauth';

  abstract signIn(context: PageContext): Page;
  abstract consent(context: ConsentContext): Page;

  /** For requests that are no page load: a page without a form or a passkey ceremony. */
  openInTab(context: OpenInTabContext): Page {
    return openInTabPage(context);
  }

  /** For a person whom the access policy refuses: it says why, and posts `handle` with `decision=deny`. */
  refused(context: RefusedContext): Page {
    return refusedPage(context);
  }
}

export class BuiltInAuthorizationPages extends AuthorizationPages {
  signIn(context: PageContext): Page {
    return signInPage(context);
  }

  consent(context: ConsentContext): Page {
    return consentPage(context);
  }
}

/** OpenID Connect Core §3.1.2.6. */
const LOGIN_REQUIRED = { error: 'login_required', error_description: 'the user is not signed in' };
const CONSENT_REQUIRED = {
  error: 'consent_required',
  error_description: 'the user has to be asked for consent',
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** A validated authorization request, and the languages that the browser prefers. */
export interface ValidRequest {
  readonly origin: string;
  readonly request: AuthorizationRequest;
  readonly redirectHosts: readonly string[];
  readonly wishes: Wishes;
}

/** The page at the authorization endpoint: sign-in when signed out, a consent form when signed in. */
@Injectable()
export class AuthorizationPagesService {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly consents: ConsentStore,
    private readonly pages: AuthorizationPages,
    private readonly accounts: AccountPolicy,
    private readonly blocks: ClientBlockStore,
    private readonly access: AccessDecisionsService,
  ) {}

  /** Whether the sign-in page has links to other ways to sign in, which return to the authorization request. */
  get hasSignInLinks(): boolean {
    return this.options.signInLinks !== undefined;
  }

  /**
   * The consent form, of what the access policy gives, or the page that says why it gives nothing; undefined without an
   * active session. All pages throw RefusalError 400 for a blocked client; 503 where the policy does not decide.
   */
  async renderConsent(valid: ValidRequest, session: Session | undefined) {
    const { origin, request, redirectHosts } = valid;
    const handle = session && (await this.consents.begin(session, origin, request, redirectHosts));
    if (!session || handle === undefined) return undefined;
    const { scopes } = request;
    const context = this.contextOf(valid);
    const resource =
      this.access.resources.find(origin, request.resource) ??
      this.access.resources.defaultOf(origin);
    const { grantMaxAgeMs, accountPage } = this.options;
    const userName = session.user.displayName;
    const given = await this.access.atConsent(session, origin, {
      client: { id: request.clientId, name: request.app, redirectHosts },
      resource: resource.resource,
      scopes: scopeNames(resource.scopes),
    });
    if (given instanceof AccessRefusedError) {
      return this.pages.refused({ ...context, userName, handle, refusal: given.message });
    }
    const offered = resource.scopes.filter(({ name }) => given.includes(name));
    return this.pages.consent({
      ...context,
      accessDays: grantMaxAgeMs === undefined ? undefined : Math.floor(grantMaxAgeMs / DAY_MS),
      accountPage,
      userName,
      handle,
      resource: resource.resource === resourceOf(origin) ? undefined : resource,
      scopes: offered.map(({ name, description, texts, writes }) => ({
        name,
        writes,
        description: textFor(context.language.tag, texts) ?? description,
        requested: scopes?.includes(name) ?? false,
        checked: scopes?.includes(name) ?? true,
      })),
    });
  }

  async renderSignIn(valid: ValidRequest): Promise<Page> {
    await this.expectNotBlocked(valid);
    return this.pages.signIn(this.contextOf(valid));
  }

  /** Rendered instead of either page when the request is no page load; `link` is the page's path and query. */
  async renderOpenInTab(valid: ValidRequest, link: string): Promise<Page> {
    await this.expectNotBlocked(valid);
    return this.pages.openInTab({ ...this.contextOf(valid), link });
  }

  /** Where `prompt=none` redirects to: always with an error, since only the consent page leads to a code. */
  async withoutPage(valid: ValidRequest, session: Session | undefined): Promise<string> {
    const { origin, request } = valid;
    await this.expectNotBlocked(valid);
    return responseLocation(origin, request, session ? CONSENT_REQUIRED : LOGIN_REQUIRED);
  }

  /** Throws RefusalError 400. Called where no consent begins: `ConsentStore.begin` checks blocks itself. */
  private async expectNotBlocked({ request, redirectHosts }: ValidRequest) {
    if (await this.blocks.isBlocked(request.clientId, redirectHosts)) {
      throw authorizeRefusal('blocked');
    }
  }

  private contextOf({ origin, request, wishes }: ValidRequest) {
    const { clientId, app, registeredAt, redirectUri } = request;
    const { languages = builtInPageLanguages, brand, signInLinks } = this.options;
    return {
      origin,
      brand,
      signInLinks,
      language: languages.choose(wantedLocales(wishes)),
      signUp: this.accounts.signUp,
      serviceName: this.options.serviceName,
      extraFormActions: this.options.extraFormActions,
      app: {
        name: app,
        published: publishedBy(clientId),
        registeredAt: registeredAt === undefined ? undefined : new Date(registeredAt * 1000),
      },
      redirect: { uri: redirectUri },
    } satisfies PageContext;
  }
}
