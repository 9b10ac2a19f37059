import { Injectable } from '@nestjs/common';
import { epochSeconds } from '#libs/platform';
import { ExternalIdentityStore } from '../external-identity/external-identity.store.js';
import { RecoveryCodesService } from '../recovery/recovery-code.service.js';
import { toListedSession } from '../session/session.controller.js';
import type { Session } from '../session/session.js';
import { SessionStore } from '../session/session.store.js';
import { UserStore } from '../user/user.store.js';
import { ActivityReader, toListedActivity } from './activity.controller.js';
import { unknownUser } from './user.service.js';

/** The session that asks for one's own data, and its origin. */
export interface OwnView {
  readonly session: Session;
  readonly origin: string;
}

/** What this lib keeps about an account, for its export: each part as its route shows it. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly identities: ExternalIdentityStore,
    private readonly activity: ActivityReader,
  ) {}

  /** For an administrator without a view: no session is current, codes are those of any origin. Throws RefusalError 404. */
  async describe(userId: string, view?: OwnView) {
    const user = await this.users.find(userId);
    if (!user) throw unknownUser();
    const [sessions, recoveryCodes, identities, activity] = await Promise.all([
      this.sessions.list(userId),
      this.recoveryCodes.stateOf(userId, view?.origin),
      this.identities.list(userId),
      this.activity.list(userId),
    ]);
    const { id, displayName, createdAt } = user;
    return {
      profile: { id, displayName, createdAt: epochSeconds(createdAt) },
      sessions: sessions.map((row) => toListedSession(row, view?.session)),
      recoveryCodes,
      identities: identities.map(({ issuer, subject, createdAt: linkedAt }) => ({
        issuer,
        subject,
        createdAt: epochSeconds(linkedAt),
      })),
      activity: activity.map(toListedActivity),
    };
  }
}
