const MAX_LENGTH = 300;

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Shortens an error of the library and drops its data when that is long: the library writes a sentence
 * for each invalid value and repeats what was sent.
 */
export function shortError({ code, message, data }: ErrorObject): ErrorObject {
  const error = { code, message: shortText(message) };
  const isDataShort = data !== undefined && JSON.stringify(data).length <= MAX_LENGTH;
  return isDataShort ? { ...error, data } : error;
}

/** Cuts a text after `MAX_LENGTH` characters. */
export const shortText = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
