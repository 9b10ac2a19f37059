import { parseJson } from '#libs/json';
import type { TabBusMessage } from './tab-bus.js';

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTabMessage = (value: unknown) =>
  isFields(value) && isTextOrNull(value['from']) && isTextOrAbsent(value['app']);

const isOutcome = (value: unknown) =>
  value === null ||
  (isFields(value) && (value['ok'] === true || (value['ok'] === false && isText(value['error']))));

const isRequest = (fields: Fields) =>
  ['to', 'id', 'app', 'method', 'expiresAt'].every((name) => isText(fields[name]));

const SHAPES: ReadonlyMap<unknown, (fields: Fields) => boolean> = new Map<
  TabBusMessage['kind'],
  (fields: Fields) => boolean
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
  ['session-ended', ({ session }) => isText(session)],
]);

/** What another replica has published; undefined when it is none of the messages, as a newer replica's may be. */
export function parseTabBusMessage(text: string): TabBusMessage | undefined {
  const value = parseJson(text);
  if (!isFields(value)) return undefined;
  const fits = SHAPES.get(value['kind']);
  return fits?.(value) ? (value as unknown as TabBusMessage) : undefined;
}
