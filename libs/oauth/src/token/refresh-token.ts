import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/**
 * How long unused siblings of one generation stay valid after the first use of one of them, and an older
 * token after the first use of an access token of a later generation.
 */
const GRACE_MS = 60 * 1000;

/** How a grant's tokens were used, relative to one refresh token. Ages are measured by the database's clock. */
export interface RefreshUsage {
  readonly isUsed: boolean;
  /** A refresh token of a later generation was used. */
  readonly isLaterUsed: boolean;
  /** Since the first use of a refresh token of its own generation; undefined before. */
  readonly sinceFirstUseMs: number | undefined;
  /** Since the first use of an access token of a later generation; undefined before. */
  readonly sinceDeliveryMs: number | undefined;
}

/**
 * Whether a refresh token is still valid. A token of generation n is valid until a refresh token of a later
 * generation is used, so a lost response or parallel refreshes do not disconnect a client. The theft of a
 * token is detected at the latest in its second generation (OAuth 2.1 §4.3.1, refresh-token rotation). A token
 * also becomes invalid a minute after the first use of an access token of a later generation, since the client
 * has then received that response. The grant stores only its latest delivery: for an earlier one, a later
 * refresh token was used anyway. One cause of a refused refresh: `usabilityOf` and `TokenService.issue` have the
 * others. The log's `reason` is the `detail` of the OAuthError.
 */
export function isRefreshTokenValid({
  isUsed,
  isLaterUsed,
  sinceFirstUseMs,
  sinceDeliveryMs,
}: RefreshUsage): boolean {
  if (isLaterUsed || isOver(sinceDeliveryMs)) return false;
  return isUsed || !isOver(sinceFirstUseMs);
}

const isOver = (sinceMs = 0) => sinceMs >= GRACE_MS;

/** Length of the common prefix of a grant's refresh tokens: 132 random bits of the first one. */
const FAMILY_LENGTH = 22;

/**
 * The common prefix of the refresh tokens of one grant, as secret as they are. It identifies a token whose
 * row was deleted, so a grant needs few rows and replays are still detected.
 */
export const familyOf = (refreshToken: string) => refreshToken.slice(0, FAMILY_LENGTH);

/** A family, a mark that no part of any token has, 126 random bits, and the authenticator of all of that. */
const AUTHENTICATED = /^([\w-]{22}~[\w-]{21})([\w-]{20})$/;

/** The forms of tokens without an authenticator, which versions before it issue: the first of a grant, and later ones. */
const UNAUTHENTICATED = /^(?:[\w-]{43}|[\w-]{65})$/;

/**
 * A new refresh token from 43 new random characters: of the family of the token that it replaces, if any. Only the
 * service can make its authenticator, so that a token that was altered is told apart from a replaced one, of which
 * no row is left.
 */
export function newRefreshToken(key: KeyObject, random: string, presented = random): string {
  const token = `${familyOf(presented)}~${random.slice(FAMILY_LENGTH)}`;
  return token + authenticatorOf(key, token);
}

/**
 * Whether a token was issued, for one that has no row (any more). A token without an authenticator cannot be told apart
 * from another one of its family, so its form alone decides.
 */
export function mayHaveBeenIssued(key: KeyObject, refreshToken: string): boolean {
  const [, token, authenticator] = AUTHENTICATED.exec(refreshToken) ?? [];
  if (token === undefined || authenticator === undefined) return UNAUTHENTICATED.test(refreshToken);
  return timingSafeEqual(Buffer.from(authenticator), Buffer.from(authenticatorOf(key, token)));
}

/** 120 bits. With its mark altered or removed, a token still has no form of an earlier version. */
const authenticatorOf = (key: KeyObject, token: string) =>
  createHmac('sha256', key).update(token).digest('base64url').slice(0, 20);
