import type { JsonObject } from '#libs/platform';

/** Whether the user handle of an assertion, when there is one, is the owner's user id. */
export function belongsTo({ response }: JsonObject, userId: string): boolean {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown };
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId).toString('base64url');
}
