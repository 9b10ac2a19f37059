import type { ReadResourceResult } from '@modelcontextprotocol/server';

/** Text or bytes as the protocol has them. @throws Error for anything else */
export function resourceContents(
  uri: string,
  mimeType: string,
  content: unknown,
): ReadResourceResult {
  if (typeof content === 'string') {
    return { contents: [{ uri, mimeType, text: content.toWellFormed() }] };
  }
  if (!(content instanceof Uint8Array)) throw new Error('a resource is text or bytes');
  return { contents: [{ uri, mimeType, blob: Buffer.from(content).toString('base64') }] };
}
