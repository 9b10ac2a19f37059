import { isJsonObject, isNestedDeeper, type JsonObject, parseJson } from '#libs/json';
import { FrameError } from './frame.error.js';
import type { TabOutcome } from './tab-message.js';

export interface Hello {
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

export interface Send {
  readonly to: string;
  readonly body: unknown;
  readonly id?: string | undefined;
}

export interface Result {
  readonly id: string;
  readonly outcome: TabOutcome;
}

/** What a tab says, after its shape was checked. */
export type TabFrame =
  | { readonly event: 'hello'; readonly data: Hello }
  | { readonly event: 'send'; readonly data: Send }
  | { readonly event: 'result'; readonly data: Result }
  | { readonly event: 'ping'; readonly data: unknown };

export const MAX_FRAME_BYTES = 65_536;

/** Deeper values could not be written as JSON again without overrunning the stack. */
export const MAX_NESTING = 100;

const MAX_TITLE = 200;
const MAX_URL = 2048;
const MAX_ID = 128;
const MAX_ERROR = 1000;

/** @throws FrameError `bad_message` for anything but a well-formed frame */
export function parseTabFrame(text: string): TabFrame {
  const value = parseJson(text);
  if (value === undefined) throw bad('a frame must be JSON');
  const frame = objectOf(value, 'a frame');
  if (isNestedDeeper(frame, MAX_NESTING)) {
    throw bad(`a frame may be nested ${MAX_NESTING} levels deep`);
  }
  const { event, data } = frame;
  if (event === 'hello') return { event, data: parseHello(objectOf(data ?? {}, 'data')) };
  if (event === 'send') return { event, data: parseSend(objectOf(data, 'data')) };
  if (event === 'result') return { event, data: parseResult(objectOf(data, 'data')) };
  if (event === 'ping') return { event, data };
  throw bad('event must be "hello", "send", "result" or "ping"');
}

const parseHello = (data: JsonObject): Hello => ({
  title: optional(data, 'title', MAX_TITLE),
  url: optional(data, 'url', MAX_URL),
});

function parseSend(data: JsonObject): Send {
  const to = required(data, 'to', MAX_ID);
  if (!Object.hasOwn(data, 'body')) throw bad('data.body is missing');
  return { to, body: data['body'], id: optional(data, 'id', MAX_ID) };
}

function parseResult(data: JsonObject): Result {
  const id = required(data, 'id', MAX_ID);
  const { ok, value = null, error } = data;
  if (ok === true) return { id, outcome: { ok, value } };
  if (ok !== false) throw bad('data.ok must be true or false');
  if (typeof error !== 'string') throw bad('data.error must be a string when ok is false');
  return { id, outcome: { ok, error: error.slice(0, MAX_ERROR) } };
}

function required(data: JsonObject, name: string, maxLength: number): string {
  const value = data[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength) {
    throw bad(`data.${name} must be a string of 1 to ${maxLength} characters`);
  }
  return value;
}

function optional(data: JsonObject, name: string, maxLength: number): string | undefined {
  if (!Object.hasOwn(data, name)) return undefined;
  const value = data[name];
  if (typeof value !== 'string' || value.length > maxLength) {
    throw bad(`data.${name} must be a string of at most ${maxLength} characters`);
  }
  return value;
}

function objectOf(value: unknown, what: string): JsonObject {
  if (!isJsonObject(value)) throw bad(`${what} must be a JSON object`);
  return value;
}

const bad = (message: string) => new FrameError('bad_message', message);
