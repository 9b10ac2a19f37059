import { isJsonObject, type JsonObject } from '#libs/json';

/** An answer of that length is no matter, whatever is in it. */
const SHORT_BYTES = 4_096;
const MAX_LENGTH = 300;

/**
 * The answers of the library with the errors in them cut short: it writes a sentence for each value
 * that is wrong, and repeats what was sent. Results stay as they are.
 */
export function withShortErrors(bytes: Buffer): Buffer {
  if (bytes.length <= SHORT_BYTES || !bytes.includes('"error":{')) return bytes;
  const answer: unknown = JSON.parse(bytes.toString());
  const short: unknown = Array.isArray(answer) ? answer.map(shortError) : shortError(answer);
  return Buffer.from(JSON.stringify(short));
}

function shortError(answer: unknown): unknown {
  if (!isJsonObject(answer) || !isJsonObject(answer['error'])) return answer;
  const { code, message, data } = answer['error'];
  const error: JsonObject = { code, message: shortText(String(message)) };
  const isDataShort = data !== undefined && JSON.stringify(data).length <= MAX_LENGTH;
  return { ...answer, error: isDataShort ? { ...error, data } : error };
}

/** The beginning of a text, where it is too long for a person to read. */
export const shortText = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
