import { type JsonObject, isJsonObject } from '#libs/platform/json';

export type FrameErrorCode = 'bad_message' | 'unknown_tab' | 'rate_limited' | 'unlisted';

/** A frame that the hub does not act on; the tab gets it as `error`, and the connection goes on. */
export class FrameError extends Error {
  override name = 'FrameError';

  constructor(
    readonly code: FrameErrorCode,
    message: string,
    /** The request that the frame was about, when it came too late for it. */
    readonly id?: string,
    /** The tool of the page that it is about. */
    readonly tool?: string,
  ) {
    super(message);
  }
}

/** What a frame has to have; each throws FrameError `bad_message` for anything else, and says what it takes. */

export function objectOf(value: unknown, what: string): JsonObject {
  if (!isJsonObject(value)) throw badMessage(`${what} must be a JSON object`);
  return value;
}

export function requiredText(from: JsonObject, name: string, maxLength: number, of = 'data') {
  const value = from[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength) {
    throw badMessage(`${of}.${name} must be a string of 1 to ${maxLength} characters`);
  }
  return value;
}

export function optionalText(from: JsonObject, name: string, maxLength: number, of = 'data') {
  if (!Object.hasOwn(from, name)) return undefined;
  const value = from[name];
  if (typeof value !== 'string' || value.length > maxLength) {
    throw badMessage(`${of}.${name} must be a string of at most ${maxLength} characters`);
  }
  return value;
}

export const badMessage = (message: string, tool?: string) =>
  new FrameError('bad_message', message, undefined, tool);
