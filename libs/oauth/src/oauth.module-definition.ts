import { defineModule } from '#libs/platform';
import type { Brand, Catalogue, PageTexts, SignInLink } from '#libs/ui-templates';
import type { TrustedIssuer } from './managed-access/trusted-issuer.js';
import type { Resource } from './resource/resource.js';
import type { Scope } from './scope.js';
import type { SigningKeysFound } from './signing/signing-key.js';

export interface OAuthOptions {
  /** `resource_name` of the protected resource, and the name on the pages. */
  readonly serviceName: string;
  /** The languages of the pages; by default those of the library. */
  readonly languages?: Catalogue<PageTexts> | undefined;
  readonly brand?: Brand | undefined;
  readonly signInLinks?: readonly SignInLink[] | undefined;
  /** The scopes of `/svc/mcp`, in the order in which users see them. */
  readonly scopes: readonly Scope[];
  /** Resources beside `/svc/mcp`: absolute URLs, or paths that each origin of the service has. */
  readonly resources?: readonly Resource[] | undefined;
  /** The origins that are served, so that a resource on one of them is known there only. */
  readonly publicOrigins?: readonly string[] | undefined;
  /** Private-use schemes that redirect URIs may have, such as `cursor`. */
  readonly privateUseRedirectSchemes: readonly string[];
  /** Whether clients may register themselves; true by default. */
  readonly registration?: boolean | undefined;
  /** Whether machine clients get tokens and may use them; false by default. */
  readonly machineClients?: boolean | undefined;
  /** Path of the page where users disconnect apps; without it the consent page mentions none. */
  readonly accountPage?: string | undefined;
  /** Further CSP `form-action` sources of the pages. */
  readonly extraFormActions: readonly string[];
  readonly clientDocuments: ClientDocumentPolicy;
  /** Reads the keys that sign access tokens; a fault is a whole line. Without it there are no JWT access tokens. */
  readonly readSigningKeys?: (() => SigningKeysFound) | undefined;
  /** The identity providers whose assertions are accepted; without it that grant type does not exist. */
  readonly trustedIssuers?: readonly TrustedIssuer[] | undefined;
  /** How long after consent a grant ends, even if it is in use; without it a grant in use never ends. */
  readonly grantMaxAgeMs?: number | undefined;
}

/** Which hosts client-identifier metadata documents may come from. */
export interface ClientDocumentPolicy {
  /** When given, all other host names are refused. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts: readonly string[];
  /** `host:port` that may have private or loopback addresses and any port; for development only. */
  readonly privateHosts: readonly string[];
}

/** `imports` has to include AccountsModule; `providers` may replace any default. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OAUTH_OPTIONS } =
  defineModule<OAuthOptions>('OAuth');
