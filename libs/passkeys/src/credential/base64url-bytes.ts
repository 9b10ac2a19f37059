/** Stores bytes in a `text` column, alike on every database. */
export const base64urlBytes = {
  to: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url'),
  from: (text: string) => new Uint8Array(Buffer.from(text, 'base64url')),
};
