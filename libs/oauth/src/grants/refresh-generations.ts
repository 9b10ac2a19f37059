/**
 * For so long unused siblings of one generation stay good after the first of them was used, and an
 * older token after an access token of a later generation was used.
 */
const GRACE_MS = 60 * 1000;

/** How the refresh tokens of a grant were used, as one of them sees it. Ages are by the database's clock. */
export interface Uses {
  readonly isUsed: boolean;
  /** A refresh token of a later generation was used. */
  readonly isLaterUsed: boolean;
  /** Since one of its own generation was used for the first time; undefined before. */
  readonly sinceFirstUseMs: number | undefined;
  /** Since an access token of a later generation was used for the first time; undefined before. */
  readonly sinceArrivalMs: number | undefined;
}

/**
 * Which refresh tokens may still be used. A token of generation n is good until a later generation
 * was used: an answer that got lost, or several refreshes at once, disconnect nobody. A stolen token
 * is found out at the latest in its second generation (OAuth 2.1 §4.3.1, refresh-token rotation), and
 * a minute after an access token of a later generation was used, since that answer has arrived. The grant
 * knows its latest arrival only: of an earlier one a later refresh token was used anyway.
 */
export function isGood({ isUsed, isLaterUsed, sinceFirstUseMs, sinceArrivalMs }: Uses): boolean {
  if (isLaterUsed || isOver(sinceArrivalMs)) return false;
  return isUsed || !isOver(sinceFirstUseMs);
}

const isOver = (sinceMs = 0) => sinceMs >= GRACE_MS;
