import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import type { Request, Response } from 'express';
import {
  headerValues,
  RefusalError,
  revalidateAfterBody,
  SecurityEventsService,
} from '#libs/accounts';
import {
  ADMIN_ROLES,
  type AdminRole,
  type AdminToken,
  readAdminTokens,
} from '../../config/admin-tokens.js';
import { ForRole } from '../operation/operation.js';
import { ADMIN_API_OPTIONS, type AdminApiOptions } from '../admin-api.module-definition.js';

const READ_EVERY_MS = 30_000;

/** The tokens of ADMIN_TOKEN and ADMIN_TOKENS_FILE; the file is reloaded every 30 seconds. */
@Injectable()
export class AdminTokensService implements OnModuleInit {
  private readonly logger = new Logger('Administration');
  private tokens: readonly AdminToken[] = [];
  private fault: string | undefined;

  constructor(@Inject(ADMIN_API_OPTIONS) private readonly options: AdminApiOptions) {}

  onModuleInit() {
    this.read();
    if (this.fault !== undefined) throw new Error(this.fault);
  }

  /** Finds a token in constant time; undefined for an unknown one. */
  find(token: string): AdminToken | undefined {
    const hash = createHash('sha256').update(token).digest();
    const isHash = (hex: string) => timingSafeEqual(Buffer.from(hex, 'hex'), hash);
    let found: AdminToken | undefined;
    for (const each of this.tokens) if (each.sha256.map(isHash).includes(true)) found = each;
    return found;
  }

  /** While the file is invalid, its last valid content counts. */
  @Interval('admin-tokens', READ_EVERY_MS)
  read() {
    const { tokens, faults } = readAdminTokens(this.options);
    const [fault] = faults;
    if (fault === undefined) this.tokens = tokens;
    else if (fault !== this.fault) this.logger.error(`${fault}; older tokens stay`);
    this.fault = fault;
  }
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Requires a bearer token (RFC 6750 §2.1) whose role allows the operation, and again after a body that `readBytes`
 * waited for, since the token or its role may have been taken away in between.
 */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  constructor(
    private readonly tokens: AdminTokensService,
    private readonly events: SecurityEventsService,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const holders = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride(ForRole, holders) ?? roleFor(request.method);
    const { locals } = http.getResponse<Response>();
    const check = () => {
      const token = this.get(request);
      locals['adminActor'] = token.name;
      expectRole(token, needed);
    };
    check();
    revalidateAfterBody(request, async () => check());
    return true;
  }

  private get(request: Request): AdminToken {
    const sent = bearerOf(headerValues(request, 'authorization'));
    const token = sent === undefined ? undefined : this.tokens.find(sent);
    if (token) return token;
    this.events.emit({ type: 'admin-token-refused', userId: null, origin: '' });
    const headers = { 'WWW-Authenticate': 'Bearer' };
    throw new RefusalError(401, 'send ADMIN_TOKEN as a bearer token', headers);
  }
}

function expectRole({ role }: AdminToken, needed: AdminRole) {
  if (ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(needed)) return;
  throw new RefusalError(403, `this takes a token whose role is ${needed}, not ${role}`);
}

const bearerOf = ([value = '', ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? BEARER.exec(value)?.[1] : undefined;

const roleFor = (method: string): AdminRole =>
  method === 'GET' || method === 'HEAD' ? 'read' : 'admin';
