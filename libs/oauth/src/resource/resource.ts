import type { Scope } from '../scope.js';

/** What access tokens are issued for (RFC 8707 §2): a server with scopes of its own. */
export interface Resource {
  /**
   * The identifier, which is the audience of its tokens: an absolute URL. In options also a path, which stands for
   * that path on each origin of the service.
   */
  readonly resource: string;
  /** The name on the consent and account pages; `resource_name` of its metadata. */
  readonly name: string;
  /** In the order in which users see them; no other resource has a scope of the same name. */
  readonly scopes: readonly Scope[];
  /** The form of its access tokens. */
  readonly tokens: 'opaque' | 'jwt';
  /** How its server authenticates at the introspection endpoint; without it introspection is off. */
  readonly introspection?:
    | {
        readonly clientId: string;
        /** In lower-case hex. */
        readonly secretSha256: string;
      }
    | undefined;
}

/** The options that say which resources there are. */
export interface ResourceOptions {
  /** `resource_name` of `/svc/mcp`, and the name on the pages. */
  readonly serviceName: string;
  /** The scopes of `/svc/mcp`, in the order in which users see them. */
  readonly scopes: readonly Scope[];
  /** Resources beside `/svc/mcp`: absolute URLs, or paths that each origin of the service has. */
  readonly resources?: readonly Resource[] | undefined;
  /** The origins that are served, so that a resource on one of them is known there only. */
  readonly publicOrigins?: readonly string[] | undefined;
}

/** The default resource of an origin (contract: the origin plus `/svc/mcp`). */
export const resourceOf = (origin: string) => `${origin}/svc/mcp`;

const IDENTIFIER = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\\@\s]+)([/?][^#\\\s]*)?$/;

/**
 * A spelling that all accepted spellings of a resource identifier have in common: the case of scheme and host, a
 * default port and one trailing slash of the path make no difference. Undefined for an invalid identifier.
 */
export function normalIdentifier(identifier: string): string | undefined {
  const [, start = '', rest = ''] = IDENTIFIER.exec(identifier) ?? [];
  if (!URL.canParse(start)) return undefined;
  return new URL(start).origin + (rest.includes('?') ? rest : rest.replace(/\/$/, ''));
}

/** The origin of a resource; undefined for one that is a path of every origin. */
export const originOfResource = ({ resource }: Pick<Resource, 'resource'>): string | undefined =>
  resource.startsWith('/') ? undefined : new URL(resource).origin;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Where the metadata of a resource is (RFC 9728 §3.1): the well-known path is inserted between host and path, and a
 * slash that is the whole path is left out.
 */
export function metadataUrl({ resource }: Pick<Resource, 'resource'>): string {
  const { origin, pathname, search } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname) + search;
}
