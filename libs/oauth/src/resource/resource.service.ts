import { Inject, Injectable } from '@nestjs/common';
import { resourceOf } from '../grant/grant.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { Scope } from '../scope.js';
import { normalIdentifier, originOfResource, type Resource } from './resource.js';

type Options = Pick<OAuthOptions, 'serviceName' | 'scopes' | 'resources' | 'publicOrigins'>;

/**
 * The resources that tokens are issued for. `/svc/mcp` of each origin is always one, and the default. A further
 * resource on an origin of the service exists on that origin only, one elsewhere on every origin.
 */
@Injectable()
export class ResourcesService {
  private readonly further: readonly Resource[];
  private readonly served: ReadonlySet<string>;

  constructor(@Inject(OAUTH_OPTIONS) private readonly options: Options) {
    this.further = options.resources ?? [];
    this.served = new Set(options.publicOrigins);
  }

  /** The default resource first. */
  all(origin: string): readonly Resource[] {
    const further = this.further.filter((one) => this.isAt(origin, one));
    return [this.defaultOf(origin), ...further.map((one) => absolute(origin, one))];
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
    return this.all(origin).find(({ resource }) => normalIdentifier(resource) === wanted);
  }

  /** The scopes of all resources. */
  scopesOf(origin: string): readonly Scope[] {
    return this.all(origin).flatMap(({ scopes }) => scopes);
  }

  private isAt(origin: string, resource: Resource): boolean {
    const own = originOfResource(resource);
    return own === undefined || own === origin || !this.served.has(own);
  }
}

const absolute = (origin: string, resource: Resource): Resource =>
  resource.resource.startsWith('/')
    ? { ...resource, resource: origin + resource.resource }
    : resource;
