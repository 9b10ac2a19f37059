import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';
import { asVisitor, keptReason } from '#libs/accounts';
import { onExchangeEnd, underRequest } from '#libs/platform';
import { methodLabel, routeLabel } from '../../observability/metrics/request-labels.js';
import { actorOf } from './admin-token.guard.js';

/**
 * Gives each request an id, and when its answer is complete logs and counts it: actor and operation, by the pattern
 * of the route. The path itself is in neither, because a client may put a token there.
 */
export function recordAdminRequests(registry: Registry) {
  const logger = new Logger('Administration');
  const durations = new Histogram({
    name: 'gatehouse_admin_request_duration_seconds',
    help: 'From the head of a request for /admin/ to the end of its answer',
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
      const fields = {
        requestId,
        actor: actorOf(response) ?? null,
        method,
        route,
        status,
        durationMs,
        reason: keptReason(response),
      };
      logger[status >= 500 ? 'error' : 'log'](fields, `${method} ${route} ${status}`);
    });
    asVisitor(request.socket.remoteAddress, () => underRequest(requestId, undefined, next));
  };
}

/** The pattern of the route; `none` where no operation matches. */
function patternOf({ route }: Request): string {
  const pattern = routeLabel((route as { path?: unknown } | undefined)?.path);
  return pattern.startsWith('/admin') ? pattern : 'none';
}
