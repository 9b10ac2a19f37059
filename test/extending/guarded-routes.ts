import {
  BadRequestException,
  type CanActivate,
  Controller,
  Get,
  Injectable,
  type PipeTransform,
  Post,
  Req,
  Sse,
  UseGuards,
} from '@nestjs/common';
import { NEVER, startWith } from 'rxjs';
import type { Request } from 'express';
import {
  CurrentUser,
  JsonBody,
  type JsonObject,
  readBytes,
  SessionGuard,
  type User,
} from '#libs/accounts';
import { RequireScope } from '#libs/oauth';
import { Caller, type McpCaller } from '#libs/mcp';
import { bringGuarded } from './team-app.js';

/** The requests that reached a handler. */
export const done: unknown[] = [];

/** How many requests that may have a body passed all guards. */
export const admitted = { count: 0 };

@Injectable()
class AdmittedGuard implements CanActivate {
  canActivate() {
    admitted.count += 1;
    return true;
  }
}

function note(body: JsonObject) {
  if (body['text'] === '') throw new BadRequestException({ text: 'is empty' });
  done.push(body);
  return body;
}

async function noteBytes(request: Request) {
  const text = String(await readBytes(request, 1_000));
  done.push(text);
  return text;
}

class TextPipe implements PipeTransform {
  transform({ text }: JsonObject) {
    if (typeof text === 'string') return text;
    throw new BadRequestException('text has to be a string');
  }
}

@Controller('team/bearer')
@RequireScope('account:read')
class BearerController {
  @Get()
  who(@Caller() caller: McpCaller) {
    return caller;
  }

  @Post('text')
  text(@JsonBody(new TextPipe()) text: string) {
    return text;
  }

  @Post('bytes')
  @UseGuards(AdmittedGuard)
  bytes(@Req() request: Request) {
    return noteBytes(request);
  }

  @Get('tabs')
  @RequireScope('tabs:write')
  @RequireScope('tabs:read')
  tabs() {
    return 'tabs';
  }

  @Post()
  @UseGuards(AdmittedGuard)
  note(@Caller() _caller: McpCaller, @JsonBody() body: JsonObject) {
    return note(body);
  }
}

@Controller(['team/session', 'svc/auth/team'])
@UseGuards(SessionGuard)
class SessionController {
  @Get()
  who(@CurrentUser() user: User) {
    return user;
  }

  @Post()
  @UseGuards(SessionGuard, AdmittedGuard)
  note(@CurrentUser() _user: User, @JsonBody() body: JsonObject) {
    return note(body);
  }

  @Post('bytes')
  @UseGuards(AdmittedGuard)
  bytes(@Req() request: Request) {
    return noteBytes(request);
  }

  @Sse('stream')
  stream() {
    return NEVER.pipe(startWith({ data: 'open' }));
  }
}

/** A controller whose guards were forgotten. */
@Controller('team/open')
class OpenController {
  @Get('user')
  user(@CurrentUser() user: User) {
    return user;
  }

  @Get('caller')
  caller(@Caller() caller: McpCaller) {
    return caller;
  }
}

export const guarded = bringGuarded(BearerController, SessionController, OpenController);

/** Bodies that reach no handler, each with its refusal. */
export const BAD_BODIES: [string, string, number, string][] = [
  ['too large', JSON.stringify({ text: 'x'.repeat(16_384) }), 413, 'request too large'],
  ['not JSON', 'text=hello', 400, 'body must be JSON'],
  ['no object', '["hello"]', 400, 'body must be a JSON object'],
];
