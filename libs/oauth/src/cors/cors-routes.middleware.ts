import type { MiddlewareConsumer } from '@nestjs/common';
import { OAUTH_PATHS } from '../oauth-paths.js';
import { corsHeaders, exactly, openCors } from './open-cors.middleware.js';

/**
 * Opens the routes that pages of any origin may call. The module with their controllers has to call this.
 * Leaves registration out when it is switched off.
 */
export function configureCors(consumer: MiddlewareConsumer, registration = true): void {
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-protected-resource{*path}');
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-authorization-server');
  const { token, revoke, register } = OAUTH_PATHS;
  const paths = registration ? [token, revoke, register] : [token, revoke];
  consumer.apply(exactly(corsHeaders('POST'), ...paths)).forRoutes('svc/oauth/*path');
}
