import type { Readable } from 'node:stream';
import { type JsonObject, isJsonObject, parseJson } from '#libs/platform';
import { RefusalError } from '../refusal.error.js';
import { readBytes } from './body-bytes.js';

export const MAX_BODY_BYTES = 16_384;

/**
 * Reads a request body as a JSON object, whatever its `Content-Type` says; an empty body counts as
 * `{}`. Throws RefusalError 413 beyond {@link MAX_BODY_BYTES}, counted in bytes, and 400 for the rest.
 */
export async function readJsonObject(body: Readable, contentLength?: string): Promise<JsonObject> {
  const bytes = await readBytes(body, MAX_BODY_BYTES, contentLength);
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  if (value === undefined) throw new RefusalError(400, 'body must be JSON');
  if (!isJsonObject(value)) throw new RefusalError(400, 'body must be a JSON object');
  return value;
}
