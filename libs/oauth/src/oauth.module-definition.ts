import { defineModule } from '#libs/platform';
import type { Brand, Catalogue, PageTexts } from '#libs/ui-templates';
import type { Scope } from './scopes/scope.js';

export interface OAuthOptions {
  /** `resource_name` of the protected resource, and the name on the pages. */
  readonly serviceName: string;
  /** Those of the pages; those of the lib by default. */
  readonly languages?: Catalogue<PageTexts> | undefined;
  /** How its pages look. */
  readonly brand?: Brand | undefined;
  /** Every scope there is, in the order people see them. */
  readonly scopes: readonly Scope[];
  /** Schemes beyond https that may be redirected to, such as `cursor`. */
  readonly privateUseRedirectSchemes: readonly string[];
  /** Whether clients may register themselves; they may unless this is false. */
  readonly registration?: boolean | undefined;
  /** The page where people disconnect apps, as a path; without one the consent page names none. */
  readonly accountPage?: string | undefined;
  /** Further CSP `form-action` sources of the pages. */
  readonly extraFormActions: readonly string[];
  readonly clientDocuments: ClientDocumentPolicy;
  /** What the MCP endpoint says of itself, beside `serviceName`. */
  readonly mcpServer?: McpServerDescription | undefined;
  /** How long after consent a grant ends, whatever its use; without it none ends that is used. */
  readonly grantMaxAgeMs?: number | undefined;
  /** Does some work and tells what it cost its account, in credits; without it nothing costs any. */
  readonly measureCharges?: (<T>(work: () => Promise<T>) => Promise<Charged<T>>) | undefined;
}

export interface McpServerDescription {
  readonly version: string;
  readonly websiteUrl?: string | undefined;
  /** Addresses of images. */
  readonly icons?: readonly string[] | undefined;
  /** For models: what the service is for, and how it is to be used. */
  readonly instructions?: string | undefined;
}

interface Charged<T> {
  readonly result: T;
  readonly credits: number;
}

/** Which hosts client-identifier metadata documents may come from. */
export interface ClientDocumentPolicy {
  /** Only these host names, when given. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts: readonly string[];
  /** `host:port` that may resolve to private or loopback addresses; for development only. */
  readonly privateHosts: readonly string[];
}

/** `imports` has to bring AccountsModule; `providers` may replace any default. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OAUTH_OPTIONS } =
  defineModule<OAuthOptions>('OAuth');
