import type { Scope } from '../scope.js';
import {
  normalIdentifier,
  originOfResource,
  type Resource,
  resourceOf,
  type ResourceOptions,
} from './resource.js';

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

  /** `/svc/mcp` of an origin. */
  defaultOf(origin: string): Resource {
    const { serviceName: name, scopes } = this.options;
    return { resource: resourceOf(origin), name, scopes, tokens: 'opaque' };
  }

  /** The resource with this identifier, in any accepted spelling. */
  find(origin: string, identifier: string): Resource | undefined {
    const wanted = normalIdentifier(identifier);
    if (wanted === undefined) return undefined;
    if (wanted === resourceOf(origin)) return this.defaultOf(origin);
    const isHere = wanted.startsWith(origin);
    const found =
      this.listed.get(wanted) ??
      (isHere ? this.listed.get(wanted.slice(origin.length)) : undefined);
    return found && onOrigin(origin, found, this.served)[0];
  }

  /**
   * The resource that a route of this service belongs to: a path of the origin, a URL, or without an identifier the default
   * one.
   */
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

  /** The scopes of all resources. */
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
