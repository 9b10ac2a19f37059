import { Injectable } from '@nestjs/common';
import { SUBSCRIPTION_ID_META_KEY, type RequestId } from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/json';
import { whileWaiting } from '#libs/load';
import type { EventStream } from './event-stream.js';
import type { McpAnswer } from './mcp-connection.js';
import type { PostedMessages } from './posted-messages.js';
import { AccountTools, NoAccountTools } from './tools/account-tools.js';

/** Between two notifications of one stream. */
const REST_MS = 500;
const KEEP_ALIVE_MS = 15_000;

/** A stream that only listens, and what it is to say at its end. */
export interface Subscription {
  readonly id: RequestId;
  readonly userId: string;
  readonly stream: EventStream;
  /** Hears when nobody listens any more. */
  readonly onEnd: (end: () => void) => void;
}

/**
 * The streams of `subscriptions/listen` (MCP 2026-07-28), which stay open to say that the list of tools of
 * an account changed: at once, and then twice a second at most. They end with their grant, when the
 * reader does not read, and with this replica.
 */
@Injectable()
export class SubscriptionsService {
  private readonly open = new Set<() => void>();
  private isClosing = false;

  constructor(private readonly accountTools: AccountTools) {}

  /** Whether there is anything that changes while the service runs. */
  get areThere(): boolean {
    return !(this.accountTools instanceof NoAccountTools);
  }

  /** Resolves when the stream is to end. */
  async serve({ id, userId, stream, onEnd }: Subscription): Promise<void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const say = (method: string, params: object = {}) => {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
      if (!stream.send({ jsonrpc: '2.0', method, params: { ...params, _meta } })) stream.cut();
    };
    say('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } });
    const changes = new Coalesced(() => say('notifications/tools/list_changed'));
    const stop = this.accountTools.onChanged(userId, () => changes.note());
    const beat = setInterval(() => stream.keepAlive() || stream.cut(), KEEP_ALIVE_MS).unref();
    this.open.add(end);
    onEnd(end);
    if (this.isClosing) end();
    await whileWaiting(() => over);
    this.open.delete(end);
    clearInterval(beat);
    changes.stop();
    stop();
  }

  /** Ends them all, and each that begins from now on: this replica is about to go. */
  endAll(): void {
    this.isClosing = true;
    for (const end of this.open) end();
  }
}

/** The id of a request that wants to hear of changed tools, where the library has nothing against it. */
export function listeningId(
  { era, requests }: PostedMessages,
  answer: McpAnswer | undefined,
): RequestId | undefined {
  const [request] = requests;
  if (era === 'legacy' || request?.method !== 'subscriptions/listen') return undefined;
  if (!answer || 'error' in answer) return undefined;
  const filter = request.params?.['notifications'];
  return isJsonObject(filter) && filter['toolsListChanged'] === true ? request.id : undefined;
}

/** Says once what was noted several times in a short while. */
class Coalesced {
  private timer: NodeJS.Timeout | undefined;
  private isNoted = false;

  constructor(private readonly say: () => void) {}

  note() {
    this.isNoted = true;
    if (!this.timer) this.sayNoted();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isNoted = false;
  }

  private sayNoted() {
    this.timer = undefined;
    if (!this.isNoted) return;
    this.isNoted = false;
    this.timer = setTimeout(() => this.sayNoted(), REST_MS).unref();
    this.say();
  }
}
