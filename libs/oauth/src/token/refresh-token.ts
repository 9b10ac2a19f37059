import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** How long unused siblings stay valid after the first use of one, and a token after that of a later access token. */
const GRACE_MS = 60 * 1000;

/** How a grant's tokens were used, relative to one refresh token. Ages are measured by the database's clock. */
export interface RefreshUsage {
  readonly isUsed: boolean;
  readonly isLaterUsed: boolean;
  /** Since the first use of a refresh token of its own generation; undefined before. */
  readonly sinceFirstUseMs: number | undefined;
  /** Since the first use of an access token of a later generation; undefined before. */
  readonly sinceDeliveryMs: number | undefined;
}

/**
 * A token of generation n is valid until a refresh token of a later one is used: a lost response or parallel refreshes
 * do not disconnect a client, and theft is detected in its second generation (OAuth 2.1 §4.3.1). It also ends a minute
 * after the first use of a later access token, since the client then has that response. `usabilityOf` and
 * `TokenService.issue` have the other causes of a refusal; the log's `reason` is the OAuthError's `detail`.
 */
export function isRefreshTokenValid(usage: RefreshUsage): boolean {
  if (usage.isLaterUsed || isOver(usage.sinceDeliveryMs)) return false;
  return usage.isUsed || !isOver(usage.sinceFirstUseMs);
}

const isOver = (sinceMs = 0) => sinceMs >= GRACE_MS;

/** Length of the common prefix of a grant's refresh tokens: 132 random bits of the first one. */
const FAMILY_LENGTH = 22;

/** The common prefix of a grant's refresh tokens, as secret as they are: identifies replays of tokens without a row. */
export const familyOf = (refreshToken: string) => refreshToken.slice(0, FAMILY_LENGTH);

/** A family, a mark that no part of any token has, 126 random bits, and the authenticator of all of that. */
const AUTHENTICATED = /^[\w-]{22}~[\w-]{41}$/;
const AUTHENTICATOR_LENGTH = 20;

/** The forms of tokens without an authenticator, which versions before it issue: the first of a grant, and later ones. */
const UNAUTHENTICATED = /^(?:[\w-]{43}|[\w-]{65})$/;

/** A new refresh token of a family; the authenticator tells an altered token from a replaced one without a row. */
export function newRefreshToken(key: KeyObject, random: string, presented = random): string {
  const token = `${familyOf(presented)}~${random.slice(FAMILY_LENGTH)}`;
  return token + authenticatorOf(key, token);
}

/** Whether a token without a row was issued. Of one without an authenticator the form alone decides. */
export function mayHaveBeenIssued(key: KeyObject, refreshToken: string): boolean {
  if (!AUTHENTICATED.test(refreshToken)) return UNAUTHENTICATED.test(refreshToken);
  const token = refreshToken.slice(0, -AUTHENTICATOR_LENGTH);
  const issued = token + authenticatorOf(key, token);
  return timingSafeEqual(Buffer.from(refreshToken), Buffer.from(issued));
}

/** 120 bits. With its mark altered or removed, a token still has no form of an earlier version. */
const authenticatorOf = (key: KeyObject, token: string) =>
  createHmac('sha256', key).update(token).digest('base64url').slice(0, AUTHENTICATOR_LENGTH);
