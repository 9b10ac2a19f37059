import type { IncomingMessage } from 'node:http';
import { RefusalError, readBytes } from '#libs/accounts';

/** Far more than any client sends, and small enough for the library after it is encoded again. */
const MAX_FORM_BYTES = 16_384;

/**
 * Reads a body of type `application/x-www-form-urlencoded`. Throws RefusalError 400 for another type
 * and 413 beyond 16 KiB.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    request.resume();
    throw new RefusalError(400, 'the body has to be application/x-www-form-urlencoded');
  }
  const bytes = await readBytes(request, MAX_FORM_BYTES, request.headers['content-length']);
  return new URLSearchParams(bytes.toString('utf8'));
}
