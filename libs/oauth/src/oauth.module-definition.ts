import { defineModule } from '#libs/platform';
import type { Brand, Catalogue, PageTexts, SignInLink } from '#libs/ui-templates';
import type { ClientDocumentPolicy } from './client-document/document-fetch.js';
import type { ResourceOptions } from './resource/resource.js';
import type { SigningOptions } from './signing/signing-key.js';

export interface OAuthOptions extends ResourceOptions, SigningOptions {
  /** The languages of the pages; by default those of the library. */
  readonly languages?: Catalogue<PageTexts> | undefined;
  readonly brand?: Brand | undefined;
  readonly signInLinks?: readonly SignInLink[] | undefined;
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
  /** The identity providers whose assertions are accepted; without it that grant type does not exist. */
  readonly trustedIssuers?: readonly TrustedIssuer[] | undefined;
  /** What lets an app do more than before: a click of its person (by default), or a passkey or a fresh sign-in. */
  readonly approvals?: 'click' | 'passkey' | undefined;
  /** How long after consent a grant ends, even if it is in use; without it a grant in use never ends. */
  readonly grantMaxAgeMs?: number | undefined;
}

/** An identity provider that may give people access here: an entry of `TRUSTED_ISSUERS_FILE`. */
export interface TrustedIssuer {
  /** As it stands in the `iss` of its assertions and in its metadata. */
  readonly issuer: string;
  /** For people: "managed by <name>". No other issuer has it. */
  readonly name: string;
  /** Where its keys are; found by its metadata when absent. */
  readonly jwksUri?: string | undefined;
  /** The `tenant` of its assertions, for an issuer of several: its subjects are unique within a tenant alone. */
  readonly tenant?: string | undefined;
  /** Ids of the clients that may present its assertions. */
  readonly clients: readonly string[];
  /** The most that it can grant. */
  readonly scopes: readonly string[];
  /** Whether a person who is not linked to an account here is refused or gets a new one. */
  readonly accounts: 'linked' | 'create';
  /** Whether the hosts of `issuer` and `jwksUri` may have private addresses and any port. */
  readonly privateNetwork?: boolean | undefined;
}

/** `imports` has to include AccountsModule; `providers` may replace any default. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OAUTH_OPTIONS } =
  defineModule<OAuthOptions>('OAuth');
