import { hash } from 'node:crypto';

/** What is stored in place of a token, code, handle or secret: SHA-256 as base64url. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url');
