import { isJsonObject, type JsonObject, parseJson } from '#libs/json';
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

const isRequest = (fields: JsonObject) =>
  ['to', 'id', 'app', 'method', 'expiresAt'].every((name) => isText(fields[name]));

const SHAPES: ReadonlyMap<unknown, (fields: JsonObject) => boolean> = new Map<
  TabBusMessage['kind'],
  (fields: JsonObject) => boolean
>([
  ['tabs', () => true],
  [
    'message',
    ({ to, except, message, ackId }) =>
      isText(to) && isTextOrNull(except) && isTabMessage(message) && isTextOrAbsent(ackId),
  ],
  ['request', isRequest],
  ['ack', ({ id, delivered }) => isText(id) && Number.isSafeInteger(delivered)],
  ['settled', ({ id, outcome }) => isText(id) && (outcome === null || isOutcome(outcome))],
  ['account', ({ type, at }) => isText(type) && Number.isSafeInteger(at)],
  ['session-ended', ({ session }) => isText(session)],
]);

/** What another replica has published; undefined when it is none of the messages, as a newer replica's may be. */
export function parseTabBusMessage(text: string): TabBusMessage | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const fits = SHAPES.get(value['kind']);
  return fits?.(value) ? (value as unknown as TabBusMessage) : undefined;
}
