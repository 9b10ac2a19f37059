import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a presented secret is the one behind a stored hash (base64url SHA-256), in constant time. */
export function compareSecret(presented: string, secretHash: string): boolean {
  const actual = createHash('sha256').update(presented).digest();
  const expected = Buffer.from(secretHash, 'base64url');
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}
