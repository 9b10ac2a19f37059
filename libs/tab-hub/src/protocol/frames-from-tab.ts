import { type JsonObject, isNestedDeeper, parseJson } from '#libs/platform/json';
import { badMessage, objectOf, optionalText, requiredText } from './frame-fields.js';
import { type PageTool, parsePageTools } from './page-tool.js';
import type { TabOutcome, TabProgress } from './tab.js';

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

export interface Progress {
  readonly id: string;
  readonly progress: TabProgress;
}

/** What a tab says, after its shape was checked. Each event has its `@SubscribeMessage` in `TabsGateway`. */
export type TabFrame =
  | { readonly event: 'hello'; readonly data: Hello }
  | { readonly event: 'send'; readonly data: Send }
  | { readonly event: 'result'; readonly data: Result }
  | { readonly event: 'tools'; readonly data: readonly PageTool[] }
  | { readonly event: 'progress'; readonly data: Progress }
  | { readonly event: 'ping'; readonly data: unknown };

export const MAX_FRAME_BYTES = 65_536;

/** Deeper values could not be written as JSON again without overrunning the stack. */
export const MAX_NESTING = 100;

const MAX_TITLE = 200;
const MAX_URL = 2048;
const MAX_ID = 128;
const MAX_ERROR = 1000;
const MAX_PROGRESS_MESSAGE = 200;

/** @throws FrameError `bad_message` for anything but a well-formed frame */
export function parseTabFrame(text: string): TabFrame {
  const value = parseJson(text);
  if (value === undefined) throw badMessage('a frame must be JSON');
  const frame = objectOf(value, 'a frame');
  if (isNestedDeeper(frame, MAX_NESTING)) {
    throw badMessage(`a frame may be nested ${MAX_NESTING} levels deep`);
  }
  const { event, data } = frame;
  if (event === 'hello') return { event, data: parseHello(objectOf(data ?? {}, 'data')) };
  if (event === 'send') return { event, data: parseSend(objectOf(data, 'data')) };
  if (event === 'result') return { event, data: parseResult(objectOf(data, 'data')) };
  if (event === 'progress') return { event, data: parseProgress(objectOf(data, 'data')) };
  if (event === 'tools') return { event, data: parsePageTools(objectOf(data, 'data')) };
  if (event === 'ping') return { event, data };
  throw badMessage('event must be "hello", "send", "result", "progress", "tools" or "ping"');
}

const parseHello = (data: JsonObject): Hello => ({
  title: optionalText(data, 'title', MAX_TITLE),
  url: optionalText(data, 'url', MAX_URL),
});

function parseSend(data: JsonObject): Send {
  const to = requiredText(data, 'to', MAX_ID);
  if (!Object.hasOwn(data, 'body')) throw badMessage('data.body is missing');
  return { to, body: data['body'], id: optionalText(data, 'id', MAX_ID) };
}

function parseResult(data: JsonObject): Result {
  const id = requiredText(data, 'id', MAX_ID);
  const { ok, value = null, error } = data;
  if (ok === true) return { id, outcome: { ok, value } };
  if (ok !== false) throw badMessage('data.ok must be true or false');
  if (typeof error !== 'string') {
    throw badMessage('data.error must be a string when ok is false');
  }
  return { id, outcome: { ok, error: error.slice(0, MAX_ERROR) } };
}

function parseProgress(data: JsonObject): Progress {
  const id = requiredText(data, 'id', MAX_ID);
  const { progress, total } = data;
  if (!isNumber(progress)) throw badMessage('data.progress must be a number');
  if (total !== undefined && !isNumber(total)) throw badMessage('data.total must be a number');
  const message = optionalText(data, 'message', MAX_PROGRESS_MESSAGE);
  return {
    id,
    progress: {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    },
  };
}

/** JSON knows 1e999, which is no number that could be passed on. */
const isNumber = (value: unknown): value is number => Number.isFinite(value);
