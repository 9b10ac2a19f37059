import type { Readable } from 'node:stream';
import { whileWaiting } from '#libs/platform';
import { RefusalError } from '../refusal.error.js';
import { CollectedBytes } from './collected-bytes.js';
import { openHold } from './held-bodies.middleware.js';

/**
 * Reads a whole body of at most `limit` bytes. While it arrives, its bytes are counted against the sender
 * (HeldBytes). Throws RefusalError 413 beyond the limit, 400 when the body breaks off, 503 when too many bytes are
 * held at once.
 */
export async function readBytes(body: Readable, limit: number, contentLength?: string) {
  try {
    if (Number(contentLength) > limit) throw tooLarge();
    return await whileWaiting(() => collect(body, limit));
  } catch (error) {
    // Drains the rest of the body: the connection would stay blocked behind it.
    body.resume();
    throw error;
  }
}

async function collect(body: Readable, limit: number): Promise<Buffer> {
  if (!body.readable) throw brokenOff();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const hold = openHold(body, () => leave(() => reject(tooMuch())));
  const collected = new CollectedBytes(limit, (bytes) => hold?.resize(bytes) ?? true);
  const leave = (settle: () => void) => {
    body.off('data', take).off('end', end).off('error', fail).off('close', fail);
    hold?.close();
    settle();
  };
  const take = (chunk: Buffer) => {
    const { size } = collected;
    if (size + chunk.length > limit) leave(() => reject(tooLarge()));
    else if (!collected.add(chunk)) leave(() => reject(tooMuch()));
  };
  const end = () => leave(() => resolve(collected.bytes));
  const fail = (cause?: Error) => leave(() => reject(brokenOff(cause)));
  body.on('data', take).once('end', end).once('error', fail).once('close', fail);
  return promise;
}

const tooLarge = () => new RefusalError(413, 'request too large');

const brokenOff = (cause?: Error) => new RefusalError(400, 'body could not be read', {}, { cause });

const tooMuch = () =>
  new RefusalError(503, 'too much is being sent at once; try again in a second', {
    'Retry-After': '1',
  });
