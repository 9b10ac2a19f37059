import { isNestedDeeper, parseJson } from '#libs/platform/json';
import { badMessage, objectOf, optionalText, requiredText } from './frame-fields.js';
import { parsePageTools } from './page-tool.js';
import type { TabOutcome, TabProgress } from './tab.js';

export const MAX_FRAME_BYTES = 65_536;

/** Deeper values could not be written as JSON again without overrunning the stack. */
export const MAX_NESTING = 100;
const MAX_TITLE = 200;
const MAX_URL = 2048;
const MAX_ID = 128;
const MAX_ERROR = 1000;
const MAX_PROGRESS_MESSAGE = 200;

/**
 * The frames of a tab, by event: what checks the data for the `@SubscribeMessage` of `TabsGateway`, or throws
 * FrameError `bad_message`. docs/reference/hub-protocol.md describes them; `page-script/client/hub` speaks them.
 */
const FRAMES = {
  hello: parseHello,
  send: parseSend,
  result: parseResult,
  progress: parseProgress,
  tools: parsePageTools,
  ping: (data: unknown) => data,
};

type TabEvent = keyof typeof FRAMES;

export type Hello = ReturnType<typeof parseHello>;
export type Send = ReturnType<typeof parseSend>;
export type Result = ReturnType<typeof parseResult>;
export type Progress = ReturnType<typeof parseProgress>;

export function parseTabFrame(text: string) {
  const value = parseJson(text);
  if (value === undefined) throw badMessage('a frame must be JSON');
  const frame = objectOf(value, 'a frame');
  if (isNestedDeeper(frame, MAX_NESTING)) {
    throw badMessage(`a frame may be nested ${MAX_NESTING} levels deep`);
  }
  const { event, data } = frame;
  if (!isTabEvent(event)) {
    throw badMessage('event must be "hello", "send", "result", "progress", "tools" or "ping"');
  }
  return { event, data: FRAMES[event](data) };
}

const isTabEvent = (event: unknown): event is TabEvent =>
  typeof event === 'string' && Object.hasOwn(FRAMES, event);

function parseHello(data: unknown) {
  const about = objectOf(data ?? {}, 'data');
  return {
    title: optionalText(about, 'title', MAX_TITLE),
    url: optionalText(about, 'url', MAX_URL),
  };
}

function parseSend(data: unknown): { to: string; body: unknown; id?: string | undefined } {
  const sent = objectOf(data, 'data');
  const to = requiredText(sent, 'to', MAX_ID);
  if (!Object.hasOwn(sent, 'body')) throw badMessage('data.body is missing');
  return { to, body: sent['body'], id: optionalText(sent, 'id', MAX_ID) };
}

function parseResult(data: unknown): { id: string; outcome: TabOutcome } {
  const result = objectOf(data, 'data');
  const id = requiredText(result, 'id', MAX_ID);
  const { ok, value = null, error } = result;
  if (ok === true) return { id, outcome: { ok, value } };
  if (ok !== false) throw badMessage('data.ok must be true or false');
  if (typeof error !== 'string') throw badMessage('data.error must be a string when ok is false');
  return { id, outcome: { ok, error: error.slice(0, MAX_ERROR) } };
}

function parseProgress(data: unknown): { id: string; progress: TabProgress } {
  const said = objectOf(data, 'data');
  const id = requiredText(said, 'id', MAX_ID);
  const { progress, total } = said;
  if (!isNumber(progress)) throw badMessage('data.progress must be a number');
  if (total !== undefined && !isNumber(total)) throw badMessage('data.total must be a number');
  const message = optionalText(said, 'message', MAX_PROGRESS_MESSAGE);
  return {
    id,
    progress: {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    },
  };
}

/** JSON may have 1e999, which is read as Infinity and cannot be written again. */
const isNumber = (value: unknown): value is number => Number.isFinite(value);
