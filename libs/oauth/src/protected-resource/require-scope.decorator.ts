import { UseGuards } from '@nestjs/common';
import { BearerGuard } from './bearer.guard.js';
import { addRequiredScope } from './required-scopes.js';

/**
 * Restricts a route, or all routes of a controller, to bearer tokens with this scope; applies BearerGuard.
 * Several of them on a controller and its method add up.
 */
export const RequireScope =
  (scope: string): ClassDecorator & MethodDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    addRequiredScope((descriptor?.value as object | undefined) ?? target, scope);
    if (key === undefined || descriptor === undefined) UseGuards(BearerGuard)(target as never);
    else UseGuards(BearerGuard)(target, key, descriptor);
  };
