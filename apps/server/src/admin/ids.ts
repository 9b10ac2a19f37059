/** Ids are 21 to 43 random characters, and one in 64 begins with a dash. No option is as long as that. */
const LIKE_AN_OPTION = /^-[\w-]{20,42}$/;
const SHIELD = ':';

/** The arguments with every id that would be taken for an option made to look like none. */
export const shieldIds = (args: readonly string[]): string[] =>
  args.map((arg) => (LIKE_AN_OPTION.test(arg) ? SHIELD + arg : arg));

/** What was typed, of an argument that went through `shieldIds`. */
export const unshielded = (text: string): string =>
  text.startsWith(`${SHIELD}-`) ? text.slice(SHIELD.length) : text;
