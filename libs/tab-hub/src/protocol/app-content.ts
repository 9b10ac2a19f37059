import { isNestedDeeper } from '#libs/platform';
import { OversizedMessageError } from './tab-call.error.js';
import { MAX_NESTING } from './tab-frame.js';

/** A frame has 64 KiB; the rest is for what the hub adds. */
const MAX_BYTES = 60 * 1024;

/**
 * For what an app says to tabs, any JSON.
 * @throws OversizedMessageError when it would not fit in a frame
 */
export function assertFits(content: unknown): void {
  const isTooDeep = isNestedDeeper(content, MAX_NESTING);
  if (isTooDeep || Buffer.byteLength(JSON.stringify(content)) > MAX_BYTES) {
    throw new OversizedMessageError(MAX_BYTES);
  }
}
