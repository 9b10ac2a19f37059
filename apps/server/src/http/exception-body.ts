import { STATUS_CODES } from 'node:http';

/** The content of a refusal: a sentence, and the JSON object that replaces it where the thrower gave one. */
export interface Said {
  readonly message: string;
  readonly body?: object;
}

/** The reason phrase of a status, in lower case. */
export const statusText = (status: number): string =>
  (STATUS_CODES[status] ?? 'refused').toLowerCase();

/**
 * Reads the response of an HttpException. Nest wraps a text as `{ message, error, statusCode }`, with the reason
 * phrase where the thrower gave no text; any other object is the thrower's own.
 */
export function saidBy(status: number, response: string | object): Said {
  if (typeof response === 'string') return { message: response };
  const { message, error: _error, statusCode, ...own } = response as Record<string, unknown>;
  const isWrapped = statusCode === status && typeof message === 'string';
  if (!isWrapped || Object.keys(own).length > 0) {
    return { message: statusText(status), body: response };
  }
  return { message: message === STATUS_CODES[status] ? statusText(status) : message };
}
