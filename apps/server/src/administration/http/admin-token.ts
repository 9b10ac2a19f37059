import { createHash, timingSafeEqual } from 'node:crypto';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Whether a request carries the token (RFC 6750 §2.1), by its `Authorization` values; in the same time
 * however much of it is right.
 */
export function carriesToken(authorization: readonly string[], token: string): boolean {
  const [value = '', ...others] = authorization;
  const [, given = ''] = BEARER.exec(value) ?? [];
  return timingSafeEqual(hash(given), hash(token)) && others.length === 0;
}

const hash = (text: string) => createHash('sha256').update(text).digest();
