import { hash } from 'node:crypto';

/** The hash that is stored instead of a token, code, handle or secret: SHA-256 as base64url. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url');
