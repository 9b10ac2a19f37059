import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The secret in the session cookie: 32 random bytes, so 43 base64url characters. */
export const generateSessionToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

export const isSessionToken = (value: string) => /^[A-Za-z0-9_-]{43}$/.test(value);
