import type { TabMessage, TabOutcome, TabProgress } from '../protocol/tab-message.js';

/** What the replicas tell each other about one account; it survives JSON. */
export type TabBusMessage =
  /** A tab came, changed or went: read the presence anew. With `tools`, what pages offer may have changed. */
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
  | {
      readonly kind: 'request';
      readonly to: string;
      readonly id: string;
      readonly app: string;
      readonly method: string;
      readonly params: unknown;
      readonly expiresAt: string;
      readonly timeoutMs?: number;
      /** Whether `progress` of it is to be published. */
      readonly wantsProgress?: boolean;
    }
  /** How many tabs of the replica that publishes this a message or request was written to. */
  | { readonly kind: 'ack'; readonly id: string; readonly delivered: number }
  /** How far the tab is with a request. */
  | { readonly kind: 'progress'; readonly id: string; readonly progress: TabProgress }
  /** How a request ended: answered, refused, or, when null, its tab is gone or nobody waits any more. */
  | { readonly kind: 'settled'; readonly id: string; readonly outcome: TabOutcome | null }
  /** Something happened to what guards the account; `at` in epoch seconds. */
  | { readonly kind: 'account'; readonly type: string; readonly at: number }
  /** The session with this token hash is over. */
  | { readonly kind: 'session-ended'; readonly session: string };

export const TABS_CHANGED: TabBusMessage = { kind: 'tabs' };
export const TOOLS_CHANGED: TabBusMessage = { kind: 'tabs', tools: true };

/** Ends a subscription; what came before stays. */
export type Unsubscribe = () => Promise<void>;

/**
 * Carries messages of one account between all replicas.
 *
 * A subscription gets every message that is published for its account after `subscribe` resolved, on
 * any replica, the publishing one included, once; messages of one publisher in the order they were
 * published. Subscriptions of one account on one replica share what there is to share. A method
 * rejects with the bus' own error when the bus is down; what could not be published to other replicas
 * may have reached the subscriptions of this one.
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
