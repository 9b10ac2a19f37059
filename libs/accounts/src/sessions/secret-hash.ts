import { createHash } from 'node:crypto';

/** What is stored in place of a token, code, handle or secret: SHA-256 as base64url. */
export const hashSecret = (secret: string) =>
  createHash('sha256').update(secret).digest('base64url');
