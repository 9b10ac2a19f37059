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

/** The one spelling of an identifier: case of scheme and host, default port and a last slash do not count. */
export function normalIdentifier(identifier: string): string | undefined {
  const [, start = '', rest = ''] = IDENTIFIER.exec(identifier) ?? [];
  if (!URL.canParse(start)) return undefined;
  return new URL(start).origin + (rest.includes('?') ? rest : rest.replace(/\/$/, ''));
}

/** The origin of a resource; undefined for one that is a path of every origin. */
export const originOfResource = ({ resource }: Pick<Resource, 'resource'>): string | undefined =>
  resource.startsWith('/') ? undefined : new URL(resource).origin;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where the metadata of a resource is (RFC 9728 §3.1): a slash that is the whole path is left out. */
export function metadataUrl({ resource }: Pick<Resource, 'resource'>): string {
  const { origin, pathname, search } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname) + search;
}

/** Stands before a path, so that it can be read as an identifier. */
const ANY_ORIGIN = 'http://localhost';

/**
 * The resources that tokens are issued for. `/svc/mcp` of each origin is always one, and the default. A further
 * resource on an origin of the service exists on that origin only, one elsewhere on every origin.
 */
export class ResourcesService {
  private readonly further: readonly Resource[];
  /** Those of all origins by their identifier, or by their path, in the spelling of `normalIdentifier`. */
  private readonly listed = new Map<string, Resource>();
  private readonly served: ReadonlySet<string>;

  constructor(private readonly options: ResourceOptions) {
    this.further = options.resources ?? [];
    this.served = new Set(options.publicOrigins);
    for (const resource of this.further) {
      const base = originOfResource(resource) === undefined ? ANY_ORIGIN : '';
      const identifier = normalIdentifier(base + resource.resource) ?? '';
      this.listed.set(identifier.slice(base.length), resource);
    }
  }

  /** The default resource first. */
  all(origin: string): readonly [Resource, ...Resource[]] {
    return [
      this.defaultOf(origin),
      ...this.further.flatMap((resource) => onOrigin(origin, resource, this.served)),
    ];
  }

  defaultOf(origin: string): Resource {
    const { serviceName: name, scopes } = this.options;
    return { resource: resourceOf(origin), name, scopes, tokens: 'opaque' };
  }

  /** The resource with this identifier, in any accepted spelling. */
  find(origin: string, identifier: string): Resource | undefined {
    // Most clients spell the default one as the metadata do: nothing is to be parsed then.
    const wanted = identifier === resourceOf(origin) ? identifier : normalIdentifier(identifier);
    if (wanted === undefined) return undefined;
    if (wanted === resourceOf(origin)) return this.defaultOf(origin);
    const isHere = wanted.startsWith(origin);
    const found =
      this.listed.get(wanted) ??
      (isHere ? this.listed.get(wanted.slice(origin.length)) : undefined);
    return found && onOrigin(origin, found, this.served)[0];
  }

  /** The resource of a route: a path of the origin, a URL, or without an identifier the default one. */
  at(origin: string, identifier?: string): Resource | undefined {
    if (identifier === undefined) return this.defaultOf(origin);
    const isPath = identifier.startsWith('/');
    return this.find(origin, isPath ? origin + identifier : identifier);
  }

  /** As `at`, for checks at start, when no request has an origin yet. */
  anywhere(identifier?: string): Resource | undefined {
    const listed = this.further.flatMap((resource) => originOfResource(resource) ?? []);
    const origins = [...this.served, ...listed, 'http://localhost'];
    return origins.map((origin) => this.at(origin, identifier)).find(Boolean);
  }

  scopesOf(origin: string): readonly Scope[] {
    return this.all(origin).flatMap(({ scopes }) => scopes);
  }
}

/** The resource as it is on an origin, if it exists there. */
function onOrigin(origin: string, resource: Resource, served: ReadonlySet<string>): Resource[] {
  const own = originOfResource(resource);
  if (own === undefined) return [{ ...resource, resource: origin + resource.resource }];
  return own === origin || !served.has(own) ? [resource] : [];
}
