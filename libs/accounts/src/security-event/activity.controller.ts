import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import type { SecurityEventType } from './security-event.service.js';

/** An event of an account, as its owner sees it. */
export interface Activity {
  readonly type: SecurityEventType;
  /** Epoch milliseconds; for several events merged into one, the last. */
  readonly at: number;
  /** The name of the app involved. */
  readonly app: string | null;
  /** Display name, such as "Firefox on Windows"; null when no browser was involved. */
  readonly browser: string | null;
}

/** Reads an account's history; bound by the application, which stores it. */
export abstract class ActivityReader {
  static readonly portOf = 'accounts';

  /** Events of the owner's interest: the newest 100, newest first. */
  abstract list(userId: string): Promise<readonly Activity[]>;
}

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
