import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { accessGrantOf } from '../protected-resource/bearer.guard.js';
import { callerOf } from './caller.js';
import type { McpCaller } from './tools/mcp-tool.js';

/** On whose behalf, and by which app, a request is made: as tools get it. Behind BearerGuard. */
export const Caller = createParamDecorator<never, McpCaller>((_data, context: ExecutionContext) =>
  callerOf(accessGrantOf(context.switchToHttp().getRequest<Request>())),
);
