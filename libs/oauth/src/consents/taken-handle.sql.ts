import { hashSecret, type Session, sessionGoesOn } from '#libs/accounts';
import type { Dialect } from '#libs/platform';

/** The first statement of every answer to a consent form: uses up its handle. `takenHandle` gives `$1` to `$4`. */
export const takeHandle = (dialect: Dialect) =>
  `DELETE FROM oauth_consents WHERE handle_hash = $1 AND ${sessionGoesOn('$2', '$3', '$4', dialect)}`;

/** Values of `takeHandle`. */
export const takenHandle = ({ user, tokenHash }: Session, handle: string, now = Date.now()) =>
  [hashSecret(handle), user.id, tokenHash, now] as const;
