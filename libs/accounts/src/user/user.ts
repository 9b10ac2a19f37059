import { randomBytes } from 'node:crypto';

/** An account as the rest of the service sees it. */
export interface User {
  readonly id: string;
  readonly displayName: string;
}

const USER_ID_BYTES = 16;

/** 128 random bits as base64url; its UTF-8 bytes are the passkey user handle (WebAuthn L3 §5.4.3). */
export const generateUserId = () => randomBytes(USER_ID_BYTES).toString('base64url');
