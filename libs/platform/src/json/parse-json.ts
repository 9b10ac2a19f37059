/** The JSON value; `undefined` when the text is invalid JSON, or the bytes are invalid UTF-8. */
export function parseJson(from: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof from === 'string' ? from : UTF8.decode(from));
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
