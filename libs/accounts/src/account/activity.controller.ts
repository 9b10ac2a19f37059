import { Get } from '@nestjs/common';
import { epochSeconds } from '#libs/platform';
import { OwnAccountController } from '../session/auth-routes.decorator.js';
import { CurrentUser } from '../session/session.guard.js';
import type { User } from '../user/user.js';
import type { SecurityEventType } from '../security-event/security-event.service.js';

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

/** An event as its owner sees it (contract, Own account); times are epoch seconds. */
export const toListedActivity = ({ type, at, app, browser }: Activity): Activity => ({
  type,
  at: epochSeconds(at),
  app,
  browser,
});

/** Recent events of the signed-in user's account: session 401, method 405. */
@OwnAccountController('svc/me/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityReader) {}

  @Get()
  async list(@CurrentUser() user: User): Promise<{ events: Activity[] }> {
    const found = await this.activity.list(user.id);
    return { events: found.map(toListedActivity) };
  }
}
