import { type Sweep, expiredRows } from '#libs/platform';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import type { AccountSessionsService } from './session/session.store.js';
import { SessionEntity } from './session/session.entity.js';
import { InviteEntity } from './sign-up/invite.entity.js';

/** The sweeps of this lib's tables. */
export function accountsSweeps(sessions: AccountSessionsService): Sweep[] {
  let isBroughtDown = false;
  return [
    expiredRows(SessionEntity, 'tokenHash'),
    expiredRows(RecoveryCodeEntity, 'codeHash'),
    expiredRows(InviteEntity, 'id'),
    async () => {
      if (!isBroughtDown) await sessions.bringDown();
      isBroughtDown = true;
      return 0;
    },
  ];
}
