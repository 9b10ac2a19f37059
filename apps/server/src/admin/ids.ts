/** Ids are 21 to 43 random characters, and one in 64 begins with a dash. No option name is that long. */
const LIKE_AN_OPTION = /^-[\w-]{20,42}$/;
const SHIELD = ':';

/** Marks the ids that a parser would take for options, so that it does not. */
export const shieldIds = (args: readonly string[]): string[] =>
  args.map((arg) => (LIKE_AN_OPTION.test(arg) ? SHIELD + arg : arg));

/** The original text of an argument that `shieldIds` may have marked. */
export const unshielded = (text: string): string =>
  text.startsWith(`${SHIELD}-`) ? text.slice(SHIELD.length) : text;
