import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '#libs/accounts';

/** Whether a presented secret matches a stored hash, in constant time. */
export function compareSecret(presented: string, secretHash: string): boolean {
  const actual = Buffer.from(hashSecret(presented));
  const expected = Buffer.from(secretHash);
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}
