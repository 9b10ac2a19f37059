import { All, applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { AllowedMethods } from '../allowed-methods.guard.js';
import { VisitorGuard } from '../rate-limit/visitor.guard.js';
import { SameOriginGuard } from './same-origin.guard.js';

const PLACE = 'this route';

/** A controller that answers under `/svc/auth/`. */
export const AuthController = () => Controller('svc/auth');

/** A route that is read: any other method is 405. Not rate-limited. */
export const AuthGet = (path: string) => applyDecorators(All(path), AllowedMethods(['GET'], PLACE));

/** A route that acts: 405, then 403 for a foreign `Origin`, then 429; its body comes after these. */
export const AuthPost = (path: string) =>
  applyDecorators(
    All(path),
    AllowedMethods(['POST'], PLACE),
    UseGuards(SameOriginGuard, VisitorGuard),
  );
