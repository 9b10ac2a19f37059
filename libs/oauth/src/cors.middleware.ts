import type { MiddlewareConsumer } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { OAUTH_PATHS } from './oauth-endpoints.js';

/** The wildcard covers any other header, but never `Authorization` (Fetch, CORS protocol). */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  '*',
].join(', ');
const EXPOSED_HEADERS = 'WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After';
const MAX_AGE_SECONDS = '86400';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/**
 * Lets pages of any origin call an endpoint and read every response, refusals included. This is safe
 * because the browser sends no cookies with these requests (no credentials).
 */
const corsHeaders =
  (...methods: readonly string[]): Middleware =>
  (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method === 'OPTIONS') {
      response.set({
        Allow: [...methods, 'OPTIONS'].join(', '),
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': MAX_AGE_SECONDS,
      });
    }
    next();
  };

/** Like corsHeaders, but also answers OPTIONS with 204, for routes whose preflight needs only these headers. */
export const openCors =
  (...methods: readonly string[]): Middleware =>
  (request, response, next) =>
    corsHeaders(...methods)(request, response, () => {
      if (request.method === 'OPTIONS') response.status(204).end();
      else next();
    });

/**
 * Opens the routes that pages of any origin may call. The application has to call this before any other middleware refuses a request.
 * Leaves registration out when it is switched off.
 */
export function configureCors(consumer: MiddlewareConsumer, registration = true): void {
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-protected-resource{*path}');
  consumer.apply(openCors('GET', 'HEAD')).forRoutes('.well-known/oauth-authorization-server');
  const { token, revoke, register } = OAUTH_PATHS;
  const paths = registration ? [token, revoke, register] : [token, revoke];
  const ofPosts = corsHeaders('POST');
  // Nest matches middleware routes also with a trailing slash and for paths below. The controllers answer OPTIONS,
  // which the visitor limit counts.
  const exactly: Middleware = (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?');
    if (paths.some((known) => known === path)) ofPosts(request, response, next);
    else next();
  };
  consumer.apply(exactly).forRoutes('svc/oauth/*path');
}
