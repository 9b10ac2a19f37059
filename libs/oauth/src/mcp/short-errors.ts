const MAX_LENGTH = 300;

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * An error of the library cut short, and its data left out where it is long: the library writes a
 * sentence for each value that is wrong, and repeats what was sent.
 */
export function shortError({ code, message, data }: ErrorObject): ErrorObject {
  const error = { code, message: shortText(message) };
  const isDataShort = data !== undefined && JSON.stringify(data).length <= MAX_LENGTH;
  return isDataShort ? { ...error, data } : error;
}

/** The beginning of a text, where it is too long for a person to read. */
export const shortText = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
