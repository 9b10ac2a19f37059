import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { User } from '#libs/accounts';
import { type AccessGrant, accessGrantOf } from '#libs/oauth';

/** The user and the app that a call comes from. */
export interface McpCaller {
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** The grant's properties. */
  readonly props: { readonly userId: string; readonly app: string };
}

export const callerOf = ({ user, app, grantId, scopes }: AccessGrant): McpCaller => ({
  user,
  app,
  grantId,
  scopes,
  props: { userId: user.id, app },
});

/** The user and the app of a request, as tools get them. Only behind BearerGuard. */
export const Caller = createParamDecorator<never, McpCaller>((_data, context: ExecutionContext) =>
  callerOf(accessGrantOf(context.switchToHttp().getRequest<Request>())),
);
