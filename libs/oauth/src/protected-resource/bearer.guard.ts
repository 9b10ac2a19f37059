import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  NotFoundException,
  type OnModuleInit,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import {
  chargeBodyTo,
  checkAroundBody,
  endWithAccess,
  headerValues,
  setLogCaller,
  setLogReason,
  ownOriginOf,
  RefusalError,
  SecurityEventsService,
} from '#libs/accounts';
import { AccountTurns, RequestMember } from '#libs/platform';
import { MachineTokenStore } from '../machine/machine-token.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { type Resource, ResourcesService } from '../resource/resource.js';
import { scopeNames } from '../scope.js';
import { BearerTokensService } from '../token/bearer-tokens.service.js';
import {
  type Access,
  type AccessGrant,
  accountOf,
  isJwt,
  isOpaque,
  MAX_JWT_LENGTH,
  type TokenTarget,
} from '../token/token.js';
import { TokenStore } from '../token/token.store.js';
import { bearerChallenge, BearerError, expectScopes, readBearerToken } from './bearer.js';

/** Sends refusals with a challenge. An invalid token is an event here, a missing scope where it is found. */
@Catch(BearerError)
export class BearerErrorFilter implements ExceptionFilter<BearerError> {
  constructor(
    private readonly resources: ResourcesService,
    private readonly events: SecurityEventsService,
  ) {}

  catch(error: BearerError, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { origin } = ownOriginOf(request);
    if (error.code !== undefined && error.code !== 'insufficient_scope') {
      const detail = error.message;
      this.events.emit({ type: 'bearer-refused', userId: null, origin, detail });
    }
    setLogReason(response, error.message);
    const resource = routeResource.get(request) ?? this.resources.defaultOf(origin);
    const challenge = bearerChallenge(error, resource);
    response.status(error.status).set('WWW-Authenticate', challenge);
    // Only in the body: without a token the challenge has no error code (RFC 6750 §3.1).
    response.json({ error: error.code ?? 'unauthorized', error_description: error.message });
  }
}

const NO_TOKEN = 'an access token is needed; the WWW-Authenticate header says where to get one';

const reflector = new Reflector();

const RequiredScopes = Reflector.createDecorator<readonly string[]>();

/** The scopes that RequireScope added to a class or a method, or to the class that it extends. */
const requiredScopes = (holder: Function): readonly string[] =>
  reflector.get(RequiredScopes, holder) ?? [];

/** Lets BearerGuard admit machine clients to a controller. Its routes then take the caller from `accessOf`. */
export const AdmitMachines = Reflector.createDecorator<void, true>({ transform: () => true });

/** Lets BearerGuard admit calls of a paused app, and of scopes with `ask`, to a controller that decides about each. */
export const DecideByCall = Reflector.createDecorator<void, true>({ transform: () => true });

const accesses = new RequestMember<Access>();

/** What the token of a request grants that BearerGuard let through. */
export function accessOf(request: Request): Access {
  const access = accesses.get(request);
  if (!access) throw new Error('only a request that passed the bearer guard has a grant');
  return access;
}

/**
 * Says which resource a route, or all routes of a controller, belong to: BearerGuard and RequireScope then take
 * tokens for that one. The argument is a path, such as `/notes`, or a URL; the default is `/svc/mcp`.
 */
export const ForResource = Reflector.createDecorator<string>();

/** The resource of a route, as ForResource names it on the handler or else on its controller. */
const identifierFor = (handler: Function, controller: Type): string | undefined =>
  reflector.getAllAndOverride(ForResource, [handler, controller]);

/** The resource that a guarded request is for, from the beginning of the guard on. */
const routeResource = new RequestMember<Resource>();

/** The grant behind a request that BearerGuard let through, on a route without machines. */
export function accessGrantOf(request: Request): AccessGrant {
  const access = accessOf(request);
  if (!access.user) throw new Error('a route that admits machines takes accessOf');
  return access;
}

/**
 * Admits a bearer token that is valid now for the resource of the route (ForResource, else `/svc/mcp`) and has its
 * scopes. A machine client gets 403 without AdmitMachines. Ends an open exchange with the grant, or within 30 seconds.
 * Limits how many requests of an account begin at a time (AccountTurns). Rethrows the error of a failing look-up: a
 * refusal would make clients discard a valid token.
 * A route cannot ask: a scope with `ask` is not enough without DecideByCall.
 * @throws BearerError, and RefusalError 403 for a machine client and a paused app, 429 for too many that wait to begin
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly tokens: BearerTokensService,
    private readonly turns: AccountTurns,
    private readonly resources: ResourcesService,
    private readonly events: SecurityEventsService,
  ) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const resource = this.resourceOf(context);
    routeResource.set(request, resource);
    // A route that passed the request on may be for another resource.
    const before = accesses.get(request);
    const access =
      before?.audience === resource.resource
        ? before
        : await this.admit(request, http.getResponse<Response>(), resource);
    setLogCaller(request, { user: access.user?.id, client: access.clientId });
    // What its person may narrow, or pause, while the body comes.
    await checkAroundBody(request, async () =>
      this.expectAllowed(context, resource, accessOf(request)),
    );
    return true;
  }

  private expectAllowed(context: ExecutionContext, resource: Resource, access: Access): void {
    try {
      this.check(context, resource, access);
    } catch (error) {
      const { user, grantId, clientId, app } = access;
      const { origin } = ownOriginOf(context.switchToHttp().getRequest<Request>());
      this.events.emit({
        type: 'call-refused',
        userId: user?.id ?? null,
        clientId,
        app,
        ...(grantId !== undefined && { grantId }),
        origin,
        detail: (error as Error).message,
      });
      throw error;
    }
  }

  private check(context: ExecutionContext, resource: Resource, access: Access): void {
    const holders = [context.getClass(), context.getHandler()];
    if (!access.user && !reflector.getAllAndOverride(AdmitMachines, holders)) {
      throw new RefusalError(403, 'this is for people; a machine client cannot use it');
    }
    const isByCall = reflector.getAllAndOverride(DecideByCall, holders) ?? false;
    if (access.pausedBy && !isByCall) throw paused(access.pausedBy);
    const { scopes, ask = [] } = access;
    const allowed = isByCall ? scopes : scopes.filter((name) => !ask.includes(name));
    const needed = holders.flatMap(requiredScopes);
    expectScopes(needed, allowed, scopeNames(resource.scopes), scopes);
  }

  /** Throws NotFoundException where the resource does not exist on the origin of the request. */
  private resourceOf(context: ExecutionContext): Resource {
    const { origin } = ownOriginOf(context.switchToHttp().getRequest<Request>());
    const identifier = identifierFor(context.getHandler(), context.getClass());
    const found = this.resources.at(origin, identifier);
    if (!found) throw new NotFoundException();
    return found;
  }

  private async admit(request: Request, response: Response, resource: Resource): Promise<Access> {
    const token = tokenOf(request, resource);
    if (!(await this.turns.begin(this.tokens.holderOf(token), response))) throw tooMany();
    const target = { issuer: ownOriginOf(request).origin, audience: resource.resource };
    await checkAroundBody(request, async () =>
      accesses.set(request, await this.get(token, target)),
    );
    const access = accessOf(request);
    endWithAccess(response, access.endsAt, () => this.tokens.isUsable(access));
    chargeBodyTo(request, accountOf(access));
    return access;
  }

  private async get(token: string, target: TokenTarget): Promise<Access> {
    const found = await this.tokens.find(token, target);
    if (!found) throw invalidToken();
    return found.grant;
  }
}

/** The token, if it has our form: any other is refused without a look-up or a wait for a slot. */
function tokenOf(request: Request, { tokens }: Resource): string {
  const authorizations = headerValues(request, 'authorization');
  const maxLength = tokens === 'jwt' ? MAX_JWT_LENGTH : undefined;
  const token = readBearerToken(authorizations, Boolean(request.query['access_token']), maxLength);
  if (token === undefined) throw new BearerError(undefined, NO_TOKEN);
  // A JWT of ours has a row, as other tokens have: no signature is needed beside it.
  if (!isOpaque(token) && !(tokens === 'jwt' && isJwt(token))) throw invalidToken();
  return token;
}

const invalidToken = () =>
  new BearerError('invalid_token', 'the access token is unknown, expired or revoked');

const PAUSED_BY = { person: 'the person who connected it', administrator: 'an administrator' };

const paused = (by: keyof typeof PAUSED_BY) =>
  new RefusalError(403, `${PAUSED_BY[by]} has paused this app`, {}, { reason: 'paused' });

const tooMany = () =>
  new RefusalError(429, 'too many requests with this token at once; try again in a second', {
    'Retry-After': '1',
  });

/**
 * Restricts a route, or all routes of a controller, to bearer tokens with this scope; applies BearerGuard.
 * Several of them on a controller and its method add up.
 */
export const RequireScope =
  (scope: string): ClassDecorator & MethodDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const holder = (descriptor?.value ?? target) as Function;
    const scopes = [...requiredScopes(holder), scope];
    applyDecorators(RequiredScopes(scopes), UseGuards(BearerGuard))(target, key, descriptor);
  };

/** Fails the start when a route is for an unknown resource or requires a scope that its resource does not have. */
@Injectable()
class RequiredScopesService implements OnModuleInit {
  constructor(
    private readonly resources: ResourcesService,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit() {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const methods = metatype.prototype as Record<string, Function>;
      this.expectKnown(metatype.name, metatype, metatype as Type);
      for (const method of this.scanner.getAllMethodNames(methods)) {
        const handler = methods[method];
        if (handler) this.expectKnown(`${metatype.name}.${method}`, handler, metatype as Type);
      }
    }
  }

  private expectKnown(owner: string, holder: Function, controller: Type) {
    const identifier = identifierFor(holder, controller);
    const resource = this.resources.anywhere(identifier);
    if (!resource) {
      throw new Error(`${owner} is for the resource "${identifier}", which is not listed`);
    }
    const all = scopeNames(resource.scopes);
    for (const scope of [controller, holder].flatMap(requiredScopes)) {
      if (all.includes(scope)) continue;
      throw new Error(
        `${owner} requires the scope "${scope}", which is not one of: ${all.join(', ')}`,
      );
    }
  }
}

/** For a module with AccountTurnsModule, DiscoveryModule, GrantStore, OAUTH_OPTIONS and SecurityEventsService. */
export const protectedResourceProviders = [
  {
    provide: ResourcesService,
    useFactory: (options: OAuthOptions) => new ResourcesService(options),
    inject: [OAUTH_OPTIONS],
  },
  BearerTokensService,
  BearerErrorFilter,
  BearerGuard,
  MachineTokenStore,
  RequiredScopesService,
  TokenStore,
];
