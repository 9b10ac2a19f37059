import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Activity, ActivityReader } from './activity-reader.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';

/** Recent events of the signed-in user's account. */
@Controller()
export class ActivityController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly activity: ActivityReader,
  ) {}

  @All('svc/me/activity')
  async list(@Req() request: Request) {
    const { user } = await this.sessions.get(request);
    if (request.method !== 'GET') throw methodNotAllowed(['GET']);
    const found = await this.activity.list(user.id);
    return { events: found.map(inSeconds) };
  }
}

const inSeconds = ({ type, at, app, browser }: Activity): Activity => ({
  type,
  at: Math.floor(at / 1000),
  app,
  browser,
});
