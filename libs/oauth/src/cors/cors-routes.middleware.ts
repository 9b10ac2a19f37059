import type { MiddlewareConsumer } from '@nestjs/common';
import { openCors } from '../cors/open-cors.middleware.js';

/** CORS of the resource server; to be called from the module that has its controllers. */
export function configureResourceServer(consumer: MiddlewareConsumer): void {
  consumer.apply(openCors('POST')).forRoutes('svc/mcp', 'svc/mcp/{*path}');
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-protected-resource{*path}');
}
