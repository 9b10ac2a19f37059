import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  type INestApplication,
  type InjectionToken,
  Logger,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  type ModuleRef,
  NestFactory,
  Reflector,
} from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { asVisitor, logReasonOf, SecurityEventsService, setLogReason } from '#libs/accounts';
import { onExchangeEnd, underRequest } from '#libs/platform';
import { ErrorFilter } from '../../http/error.filter.js';
import { commonHeaders, exactExpress, keepDecodable } from '../../http/express.adapter.js';
import { isHostAllowed, MISDIRECTED } from '../../observability/management/management-hosts.js';
import { methodLabel, routeLabel } from '../../observability/metrics/request-labels.js';
import { ADMINISTRATION_OPTIONS } from '../administration.module-definition.js';
import { OPERATIONS } from '../operations.js';
import { actorOf } from '../operation/operation.js';
import { inputPipe } from '../operation/input.js';
import { ReplicaController } from '../replica.controller.js';
import { Histogram, Registry } from '../../observability/prometheus.js';
import { AdminDocument, DocumentController, UnknownOperationController } from './admin-document.js';
import { AdminTokenGuard } from './admin-token.guard.js';
import { AdminTokensService } from './admin-tokens.service.js';
import { DescribedInputInterceptor } from './described-input.interceptor.js';

const errorFilter = new ErrorFilter(() => ({ bodyOf: ({ message }) => ({ error: message }) }));

/**
 * Gives each request an id, and when its answer is complete logs and counts it: actor and operation, by the pattern
 * of the route. The path itself is in neither, because a client may put a token there.
 */
export function recordAdminRequests(registry: Registry) {
  const logger = new Logger('Administration');
  const durations = new Histogram({
    name: 'gatehouse_admin_request_duration_seconds',
    help: 'From the head of a request for /admin/ or /console to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  return (request: Request, response: Response, next: NextFunction) => {
    const requestId = randomUUID();
    const endTimer = durations.startTimer();
    response.setHeader('X-Request-Id', requestId);
    onExchangeEnd(response, () => {
      const method = methodLabel(request.method);
      const route = patternOf(request);
      const { statusCode: status } = response;
      const durationMs = Math.ceil(endTimer({ method, route, status }) * 10_000) / 10;
      const actor = actorOf(response) ?? null;
      const reason = logReasonOf(response);
      const fields = { requestId, actor, method, route, status, durationMs, reason };
      logger[status >= 500 ? 'error' : 'log'](fields, `${method} ${route} ${status}`);
    });
    asVisitor(request.socket.remoteAddress, () => underRequest(requestId, undefined, next));
  };
}

function patternOf(request: Request): string {
  const pattern = routeLabel(request);
  return /^\/(?:admin|console)/.test(pattern) ? pattern : 'none';
}

@Module({
  controllers: [...OPERATIONS, ReplicaController, DocumentController, UnknownOperationController],
  providers: [
    AdminDocument,
    { provide: APP_GUARD, useClass: AdminTokenGuard },
    { provide: APP_INTERCEPTOR, useClass: DescribedInputInterceptor },
    { provide: APP_PIPE, useValue: inputPipe((message) => new BadRequestException(message)) },
    { provide: APP_FILTER, useValue: errorFilter },
  ],
})
class AdminAppModule {}

const DOCUMENT = new DocumentBuilder()
  .setOpenAPIVersion('3.1.0')
  .setTitle('Gatehouse administration')
  .setVersion('1')
  .addBearerAuth(
    {
      type: 'http',
      scheme: 'bearer',
      description: 'The value of ADMIN_TOKEN, or a token of ADMIN_TOKENS_FILE',
    },
    'adminToken',
  )
  .addSecurityRequirements('adminToken')
  .build();

const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
];

/**
 * What the controllers need, from the main application: their classes, and these tokens. Intervals run there: this
 * application has no scheduler.
 */
export function runningIn(modules: ModuleRef, own: readonly InjectionToken[] = []): Provider[] {
  const tokens = [
    ...own,
    ADMINISTRATION_OPTIONS,
    AdminTokensService,
    SecurityEventsService,
    Registry,
  ];
  const reflector = new Reflector();
  const needed = [...OPERATIONS, ReplicaController].flatMap((controller): Type[] =>
    reflector.get('design:paramtypes', controller),
  );
  const classes = new Set(needed.filter((type) => type !== Object));
  return [...new Set([...tokens, ...classes])].map((provide) => {
    const useValue: object = modules.get(provide, { strict: false });
    // The second application would call these again.
    if (HOOKS.some((hook) => hook in useValue)) {
      throw new Error(`${useValue.constructor.name} has lifecycle hooks`);
    }
    return { provide, useValue };
  });
}

export async function createAdminApp(
  modules: ModuleRef,
  hosts: readonly string[],
  record: RequestHandler,
): Promise<INestApplication> {
  const adapter = new ExpressAdapter(exactExpress());
  const module = { module: AdminAppModule, providers: runningIn(modules) };
  const options = { bodyParser: false, abortOnError: false } as const;
  const app = await NestFactory.create(module, adapter, options);
  app.use(record, commonHeaders, refuseOtherHosts(hosts), keepDecodable);
  app.get(AdminDocument).content = SwaggerModule.createDocument(app, DOCUMENT, {
    operationIdFactory: (_controller, method) => method,
  });
  return app.init();
}

export const refuseOtherHosts =
  (hosts: readonly string[]) => (request: Request, response: Response, next: NextFunction) => {
    if (isHostAllowed(request.path, request.headersDistinct['host'] ?? [], hosts)) return next();
    setLogReason(response, MISDIRECTED);
    response.status(421).type('text/plain').send(`${MISDIRECTED}\n`);
  };
