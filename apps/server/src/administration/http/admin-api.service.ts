import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { asVisitor, readJsonObject, RefusalError, SecurityEventsService } from '#libs/accounts';
import { underRequest } from '#libs/trace';
import { ReplicaService } from '../replica/replica.service.js';
import { administrationServices } from '../services.adapter.js';
import { ADMIN_API_OPTIONS, type AdminApiOptions } from './admin-api.module-definition.js';
import { carriesToken } from './admin-token.js';
import { type ApiAnswer, failureOf, refusalOf } from './api-answer.js';
import { type Fields, readFields } from './field-values.js';
import { OPERATIONS } from './operations.js';
import { findOperation } from './router.js';

const ACTOR = 'admin-api';

/** The operations of administration as JSON, for whoever has the token. */
@Injectable()
export class AdminApiService {
  private readonly logger = new Logger('Administration');

  constructor(
    @Inject(ADMIN_API_OPTIONS) private readonly options: AdminApiOptions,
    private readonly modules: ModuleRef,
    private readonly events: SecurityEventsService,
    private readonly replica: ReplicaService,
  ) {}

  /** Never rejects: what goes wrong is an answer. */
  async handle(request: IncomingMessage): Promise<ApiAnswer> {
    const id = randomUUID();
    const answer = await asVisitor(request.socket.remoteAddress, () =>
      underRequest(id, undefined, () =>
        this.answer(request).catch((error) => this.failed(error, id)),
      ),
    );
    return { ...answer, headers: { ...answer.headers, 'X-Request-Id': id } };
  }

  private async answer(request: IncomingMessage): Promise<ApiAnswer> {
    this.expectToken(request);
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = targetOf(url);
    const { operation, placeholders } = findOperation(OPERATIONS, method, pathname);
    const given = {
      ...readFields(operation.query, onceEach(searchParams)),
      ...(operation.body && (await readBody(operation.body, request))),
      ...placeholders,
    };
    const { replica } = this;
    const to = { ...administrationServices(this.modules), actor: ACTOR, replica };
    return { status: operation.status ?? 200, headers: {}, body: await operation.run(to, given) };
  }

  private expectToken({ headersDistinct }: IncomingMessage) {
    if (carriesToken(headersDistinct['authorization'] ?? [], this.options.token)) return;
    this.events.emit({ type: 'admin-token-refused', userId: null, origin: '' });
    const headers = { 'WWW-Authenticate': 'Bearer' };
    throw new RefusalError(401, 'send ADMIN_TOKEN as a bearer token', headers);
  }

  private failed(error: unknown, id: string): ApiAnswer {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    const stack = error instanceof Error ? error.stack : undefined;
    this.logger.error(`request ${id}: ${String(error)}`, stack);
    return failureOf(error, id);
  }
}

/** The path as it was sent: what is encoded in it belongs to ids. */
function targetOf(url: string) {
  const [pathname = '', ...query] = url.split('?');
  return { pathname, searchParams: new URLSearchParams(query.join('?')) };
}

/** Throws RefusalError 400 for a parameter that is there twice. */
function onceEach(parameters: URLSearchParams): ReadonlyMap<string, string> {
  const once = new Map(parameters);
  if (once.size !== parameters.size) throw new RefusalError(400, 'name each parameter once');
  return once;
}

async function readBody(fields: Fields, request: IncomingMessage): Promise<object> {
  const body = await readJsonObject(request, request.headers['content-length']);
  return readFields(fields, new Map(Object.entries(body)));
}
