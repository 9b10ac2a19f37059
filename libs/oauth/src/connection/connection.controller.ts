import { Get, Patch, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import {
  ChangeLimitGuard,
  CurrentSession,
  CurrentUser,
  JsonBody,
  OwnAccountController,
  ownOriginOf,
  type Session,
  strictPipe,
  type User,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import { ConnectionChangeBody } from './connection-change.dto.js';
import { ConnectionReaderService } from './connection-reader.service.js';
import { ConnectionsService } from './connection.service.js';
import type { ConnectionCall } from './connection-calls.js';

const COLLECTION = '/svc/me/connections';
const CALLS = '/calls';

/** A call as its person sees it; times are epoch seconds. */
export const toCall = (call: ConnectionCall) => ({
  ...call,
  at: epochSeconds(call.at),
  lastAt: epochSeconds(call.lastAt),
});

/** What an app did (contract, Connections). A controller of its own, before the other, for its methods (405). */
@OwnAccountController(`${COLLECTION}/:id${CALLS}`)
export class ConnectionCallsController {
  constructor(private readonly reader: ConnectionReaderService) {}

  /** The id is the part of the path as sent, not decoded. */
  @Get()
  async list(@CurrentUser() user: User, @Req() request: Request) {
    const id = request.path.slice(COLLECTION.length + 1, -CALLS.length);
    await this.reader.get(user.id, id);
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    const { calls, next } = await this.reader.calls.page(id, {
      before: query.get('before') ?? undefined,
    });
    return { calls: calls.map(toCall), next };
  }
}

/** What the signed-in user's apps may do (contract, Connections): 401, 405, 429, 413 or 400, id 404, fresh 403. */
@OwnAccountController(COLLECTION)
export class ConnectionsController {
  constructor(
    private readonly reader: ConnectionReaderService,
    private readonly connections: ConnectionsService,
  ) {}

  @Get()
  async list(@CurrentUser() user: User) {
    return { connections: await this.reader.list(user.id) };
  }

  @Get('{*rest}')
  async get(@CurrentUser() user: User, @Req() request: Request) {
    const grant = await this.reader.get(user.id, idOf(request));
    return { connection: await this.reader.describeOne(grant) };
  }

  @Patch('{*rest}')
  @UseGuards(ChangeLimitGuard)
  async change(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody(strictPipe) body: ConnectionChangeBody,
  ) {
    const { origin } = ownOriginOf(request);
    return { connection: await this.connections.change(session, idOf(request), body, origin) };
  }
}

/** The rest of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(COLLECTION.length + 1);
