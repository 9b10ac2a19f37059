import { createHash } from 'node:crypto';

/** A file as it is sent, made once. */
export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** May be kept, and is asked for by its ETag before it is used again (RFC 9111, section 5.2.2.4). */
export function staticFile(type: string, text: string): StaticFile {
  const body = Buffer.from(text);
  const digest = createHash('sha256').update(body).digest('base64url');
  return {
    body,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      ETag: `"${digest}"`,
    },
  };
}
