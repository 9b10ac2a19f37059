import { type JsonObject, isJsonObject, parseJson } from '#libs/platform';
import type { CallOfTab, TabMessage, TabOutcome, TabProgress } from '../protocol/tab.js';

/** What the replicas tell each other about one account, as JSON. */
export type TabBusMessage =
  /** A tab came, changed or went: the presence is to be read again. With `tools`, what pages offer may have changed. */
  | { readonly kind: 'tabs'; readonly tools?: boolean }
  /** For the tab `to`, or for all but `except`. Every replica that gets it answers with an `ack` when `ackId` is given. */
  | {
      readonly kind: 'message';
      readonly to: string;
      readonly except: string | null;
      readonly message: TabMessage;
      readonly ackId?: string;
    }
  /** For the tab `to`; every replica that gets it answers with an `ack` of the same `id`. */
  | ({
      readonly kind: 'request';
      readonly to: string;
      /** Missing in requests of earlier versions. */
      readonly timeoutMs?: number;
      /** Whether `progress` of it is to be published. */
      readonly wantsProgress?: boolean;
      /** As `TabRequest` has it. */
      readonly checkedBy?: string;
    } & CallOfTab)
  /** How many tabs of the replica that publishes this a message or request was written to. */
  | { readonly kind: 'ack'; readonly id: string; readonly delivered: number }
  | { readonly kind: 'progress'; readonly id: string; readonly progress: TabProgress }
  /** How a request ended: answered, refused, or, when null, its tab is gone or its caller no longer waits. */
  | {
      readonly kind: 'settled';
      readonly id: string;
      readonly outcome: TabOutcome | null;
      /** Instead of the outcome: its tab was not asked, since its page offers other tools than it was checked by. */
      readonly isOutdated?: boolean;
    }
  /** Something happened to what guards the account; `at` in epoch seconds. */
  | { readonly kind: 'account'; readonly type: string; readonly at: number }
  | { readonly kind: 'session-ended'; readonly session: string };

export const TABS_CHANGED: TabBusMessage = { kind: 'tabs' };
export const TOOLS_CHANGED: TabBusMessage = { kind: 'tabs', tools: true };

export type Unsubscribe = () => Promise<void>;

/**
 * Carries messages of one account between all replicas. A subscription gets every message that is published after
 * `subscribe` resolved, on any replica, once; those of one publisher in their order. Subscriptions of one account on
 * one replica share what there is to share. A method rejects with the bus' own error when the bus is down; what could
 * not be published to other replicas may have reached the subscriptions of this one.
 */
export abstract class TabBus {
  static readonly portOf = 'tabs';

  abstract subscribe(
    userId: string,
    listener: (message: TabBusMessage) => void,
  ): Promise<Unsubscribe>;

  /** Returns the number of replicas that get it. Called in order means published in order. */
  abstract publish(userId: string, message: TabBusMessage): Promise<number>;

  /** Calls `listener` whenever messages may have been missed. */
  abstract onLost(listener: () => void): void;
}

/** The bus has no connection to Redis right now, or one that is too slow; `isRedisOutage` knows it by its code. */
export class TabBusDownError extends Error {
  override name = 'TabBusDownError';
  readonly code = 'ECONNABORTED';

  constructor() {
    super('the tab bus does not get through to Redis');
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value);

const isTabMessage = (value: unknown) =>
  isJsonObject(value) && isTextOrNull(value['from']) && isTextOrAbsent(value['app']);

const isOutcome = (value: unknown) =>
  isJsonObject(value) &&
  (value['ok'] === true || (value['ok'] === false && isText(value['error'])));

const isNumber = (value: unknown) => Number.isFinite(value);
const isAbsent = (value: unknown) => value === undefined;
const isBooleanOrAbsent = (value: unknown) => isAbsent(value) || typeof value === 'boolean';

/** Replicas of earlier versions leave the optional fields out. */
const isRequest = (fields: JsonObject) =>
  ['to', 'id', 'app', 'method', 'expiresAt'].every((name) => isText(fields[name])) &&
  (isAbsent(fields['timeoutMs']) || isNumber(fields['timeoutMs'])) &&
  isBooleanOrAbsent(fields['wantsProgress']) &&
  isTextOrAbsent(fields['checkedBy']);

const isProgress = (value: unknown) =>
  isJsonObject(value) &&
  isNumber(value['progress']) &&
  (isAbsent(value['total']) || isNumber(value['total'])) &&
  isTextOrAbsent(value['message']);

const SHAPES: ReadonlyMap<unknown, (fields: JsonObject) => boolean> = new Map<
  TabBusMessage['kind'],
  (fields: JsonObject) => boolean
>([
  ['tabs', ({ tools }) => isBooleanOrAbsent(tools)],
  [
    'message',
    ({ to, except, message, ackId }) =>
      isText(to) && isTextOrNull(except) && isTabMessage(message) && isTextOrAbsent(ackId),
  ],
  ['request', isRequest],
  ['ack', ({ id, delivered }) => isText(id) && Number.isSafeInteger(delivered)],
  ['progress', ({ id, progress }) => isText(id) && isProgress(progress)],
  [
    'settled',
    ({ id, outcome, isOutdated }) =>
      isText(id) && (outcome === null || isOutcome(outcome)) && isBooleanOrAbsent(isOutdated),
  ],
  ['account', ({ type, at }) => isText(type) && Number.isSafeInteger(at)],
  ['session-ended', ({ session }) => isText(session)],
]);

interface Heard {
  readonly userId: string;
  readonly message: TabBusMessage;
}

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
