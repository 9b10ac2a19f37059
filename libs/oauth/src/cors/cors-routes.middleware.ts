import type { MiddlewareConsumer } from '@nestjs/common';
import { OAUTH_PATHS } from '../oauth-paths.js';
import { corsHeaders, exactly, openCors } from './open-cors.middleware.js';

/** Which routes any page may call; to be called from the module that has their controllers. */
export function configureCors(consumer: MiddlewareConsumer): void {
  consumer.apply(openCors('POST')).forRoutes('svc/mcp', 'svc/mcp/{*path}');
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-protected-resource{*path}');
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-authorization-server');
  const { token, revoke, register } = OAUTH_PATHS;
  consumer
    .apply(exactly(corsHeaders('POST'), token, revoke, register))
    .forRoutes('svc/oauth/*path');
}
