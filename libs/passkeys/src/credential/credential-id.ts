/** The form of a credential id here: base64url, 16 to 1366 characters (contract, Passkey credential). */
export const isCredentialId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{16,1366}$/.test(value);
