export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** Strict: no padding, no standard alphabet, no stray bits. Throws TypeError naming `member`. */
export function decodeBase64Url(text: unknown, member: string): Uint8Array {
  if (typeof text !== 'string') throw new TypeError(`${member} is not a string`);
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new TypeError(`${member} is not base64url`);
  return new Uint8Array(bytes);
}
