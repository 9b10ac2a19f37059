import type { Readable } from 'node:stream';
import readRawBody from 'raw-body';
import { RefusalError } from '../refusal.error.js';

/** Reads a whole body of at most `limit` bytes. Throws RefusalError 413 beyond, 400 when it breaks off. */
export async function readBytes(body: Readable, limit: number, contentLength?: string) {
  try {
    return await readRawBody(body, { limit, length: contentLength ?? null });
  } catch (cause) {
    // What is left of the body has to go somewhere, or the connection stays stuck behind it.
    body.resume();
    const { type } = cause as { type?: string };
    if (type === 'entity.too.large')
      throw new RefusalError(413, 'request too large', {}, { cause });
    throw new RefusalError(400, 'body could not be read', {}, { cause });
  }
}
