import { hash, timingSafeEqual } from 'node:crypto';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  headerValues,
  ownOriginOf,
  SecurityEventsService,
  tooManyRequests,
  VisitorGuard,
} from '#libs/accounts';
import { InProcessRateLimiter, RequestMember } from '#libs/platform';
import { basicCredentials, invalidClient } from '../client/client-authentication.js';
import { type Resource, ResourcesService } from '../resource/resource.js';

/** What a secret is compared with where the client id is unknown, so that it takes as long; nothing hashes to it. */
const NO_HASH = '0'.repeat(64);

export const hasIntrospection = (resources: readonly Resource[]) =>
  resources.some(({ introspection }) => introspection !== undefined);

const served = new RequestMember<Resource>();

/** The resource whose server sent a request that ResourceServerGuard let through. */
export function servedResourceOf(request: Request): Resource {
  const resource = served.get(request);
  if (!resource) throw new Error('only a request that passed the resource server guard has one');
  return resource;
}

/**
 * Admits the server of a resource of this origin by HTTP Basic (RFC 6749 §2.3.1). A visitor with as many wrong
 * credentials as it may make requests is refused before the next are compared, right ones too. Each replica counts,
 * without a wait between look and change. Throws OAuthError 401 and RefusalError 429.
 */
@Injectable()
export class ResourceServerGuard extends VisitorGuard {
  @Inject(ResourcesService) private readonly resources!: ResourcesService;
  @Inject(SecurityEventsService) private readonly events!: SecurityEventsService;
  private readonly guesses = new InProcessRateLimiter();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = ownOriginOf(request);
    const authorizations = headerValues(request, 'authorization');
    const report = (detail: string) =>
      this.events.emit({ type: 'client-authentication-failed', userId: null, origin, detail });
    // Pages of others can make a browser send requests, but not this header.
    const guesses = authorizations.some(Boolean) ? this.windowsOf(request) : [];
    if (!this.guesses.hasRoom(guesses)) {
      report('too many wrong secrets of resource servers from there');
      throw tooManyRequests(guesses[0]?.periodMs ?? 0);
    }
    const resource = authenticated(authorizations, this.resources.all(origin));
    if (!resource) {
      if (guesses.length > 0) this.guesses.take(guesses);
      report('the id or the secret of a resource server does not fit');
      await super.canActivate(context);
      throw invalidClient('send the id and secret of a resource server by HTTP Basic', true);
    }
    served.set(request, resource);
    return true;
  }
}

/** The resource whose server's credentials are in the one `Authorization` header, compared in constant time. */
function authenticated(
  [authorization = '', ...others]: readonly string[],
  resources: readonly Resource[],
): Resource | undefined {
  if (others.length > 0) return undefined;
  const fitting = basicCredentials(authorization).map(({ id, secret }) => {
    const resource = resources.find(({ introspection }) => introspection?.clientId === id);
    const expected = Buffer.from(resource?.introspection?.secretSha256 ?? NO_HASH, 'hex');
    const fits = timingSafeEqual(hash('sha256', secret, 'buffer'), expected);
    return fits && secret.trim() !== '' ? resource : undefined;
  });
  return fitting.find(Boolean);
}
