import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BrowserSessionsService,
  displayNameFault,
  methodNotAllowed,
  ownOriginOf,
  parseDisplayName,
  readJsonObject,
  RefusalError,
  SecurityEventsService,
  type User,
  UsersService,
} from '#libs/accounts';

/** The signed-in person's name. */
@Controller()
export class ProfileController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly users: UsersService,
    private readonly events: SecurityEventsService,
  ) {}

  @All('svc/me')
  async me(@Req() request: Request, @Res() response: Response) {
    const { user } = await this.sessions.get(request);
    if (request.method !== 'PATCH') throw methodNotAllowed(['PATCH']);
    response.json({ user: await this.rename(request, user.id) });
  }

  private async rename(request: Request, userId: string): Promise<User> {
    const fields = await readJsonObject(request, request.headers['content-length']);
    const displayName = parseDisplayName(fields['displayName']);
    if (displayName === undefined) {
      throw new RefusalError(400, `displayName ${displayNameFault(fields['displayName'])}`);
    }
    const user = { id: userId, displayName };
    if (!(await this.users.rename(user))) throw new RefusalError(401, 'sign in first');
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'display-name-changed', userId, origin });
    return user;
  }
}
