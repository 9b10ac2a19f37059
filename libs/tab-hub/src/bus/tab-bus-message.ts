import { type JsonObject, isJsonObject, parseJson } from '#libs/platform';
import type { TabBusMessage } from './tab-bus.js';

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);

const isTabMessage = (value: unknown) =>
  isJsonObject(value) && isTextOrNull(value['from']) && isTextOrAbsent(value['app']);

const isOutcome = (value: unknown) =>
  value === null ||
  (isJsonObject(value) &&
    (value['ok'] === true || (value['ok'] === false && isText(value['error']))));

const isNumber = (value: unknown) => Number.isFinite(value);
const isAbsent = (value: unknown) => value === undefined;

/** What earlier versions do not say may be missing. */
const isRequest = (fields: JsonObject) =>
  ['to', 'id', 'app', 'method', 'expiresAt'].every((name) => isText(fields[name])) &&
  (isAbsent(fields['timeoutMs']) || isNumber(fields['timeoutMs'])) &&
  (isAbsent(fields['wantsProgress']) || typeof fields['wantsProgress'] === 'boolean');

const isProgress = (value: unknown) =>
  isJsonObject(value) &&
  isNumber(value['progress']) &&
  (isAbsent(value['total']) || isNumber(value['total'])) &&
  isTextOrAbsent(value['message']);

const SHAPES: ReadonlyMap<unknown, (fields: JsonObject) => boolean> = new Map<
  TabBusMessage['kind'],
  (fields: JsonObject) => boolean
>([
  ['tabs', ({ tools }) => isAbsent(tools) || typeof tools === 'boolean'],
  [
    'message',
    ({ to, except, message, ackId }) =>
      isText(to) && isTextOrNull(except) && isTabMessage(message) && isTextOrAbsent(ackId),
  ],
  ['request', isRequest],
  ['ack', ({ id, delivered }) => isText(id) && Number.isSafeInteger(delivered)],
  ['progress', ({ id, progress }) => isText(id) && isProgress(progress)],
  ['settled', ({ id, outcome }) => isText(id) && (outcome === null || isOutcome(outcome))],
  ['account', ({ type, at }) => isText(type) && Number.isSafeInteger(at)],
  ['session-ended', ({ session }) => isText(session)],
]);

/** What another replica has published: for whom, and what. */
export interface Heard {
  readonly userId: string;
  readonly message: TabBusMessage;
}

/** What a batch of the tab bus holds of one message. */
export const formatPosted = (userId: string, message: TabBusMessage) =>
  JSON.stringify([userId, message]);

/** What is in a batch; undefined stands for what is no message, as a newer replica's may be. */
export function parseBatch(text: string): (Heard | undefined)[] {
  const posted = parseJson(text);
  return Array.isArray(posted) ? posted.map(parsePosted) : [undefined];
}

function parsePosted(posted: unknown): Heard | undefined {
  if (!Array.isArray(posted)) return undefined;
  const [userId, message] = posted as unknown[];
  if (typeof userId !== 'string' || !isJsonObject(message)) return undefined;
  const fits = SHAPES.get(message['kind']);
  return fits?.(message) ? { userId, message: message as unknown as TabBusMessage } : undefined;
}
