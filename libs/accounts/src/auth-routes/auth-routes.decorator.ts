import { All, applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { AllowedMethods } from '../allowed-methods.guard.js';
import { VisitorGuard } from '../rate-limit/visitor.guard.js';
import { SameOriginGuard } from './same-origin.guard.js';

const PLACE = 'this route';

/** A controller that answers under `/svc/auth/`. */
export const AuthController = () => Controller('svc/auth');

/** A read-only route: any method but GET is 405. Not rate-limited. */
export const AuthGet = (path: string) => applyDecorators(All(path), AllowedMethods(['GET'], PLACE));

/**
 * A route that changes something: checks the method (405), then `Origin` (403), then the rate limit (429), then the
 * body.
 */
export const AuthPost = (path: string) =>
  applyDecorators(
    All(path),
    AllowedMethods(['POST'], PLACE),
    UseGuards(SameOriginGuard, VisitorGuard),
  );
