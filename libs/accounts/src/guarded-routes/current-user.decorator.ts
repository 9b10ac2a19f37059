import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { User } from '../user/user.js';
import { sessionOf } from './session.guard.js';

/** The signed-in user, on routes behind SessionGuard. */
export const CurrentUser = createParamDecorator<never, User>(
  (_data, context: ExecutionContext) =>
    sessionOf(context.switchToHttp().getRequest<Request>()).user,
);
