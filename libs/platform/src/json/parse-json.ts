/** Any JSON value, which is never `undefined`: that says that the text, or bytes that are no UTF-8, are no JSON. */
export function parseJson(from: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof from === 'string' ? from : UTF8.decode(from));
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
