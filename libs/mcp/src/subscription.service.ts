import { Injectable, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SUBSCRIPTION_ID_META_KEY, type RequestId } from '@modelcontextprotocol/server';
import { Throttle, isJsonObject, whileWaiting } from '#libs/platform';
import { type EventStream, jsonOf } from './answer.js';
import type { McpAnswer, PostedMessages } from './message.js';
import type { AnyMcpCaller, LookAgain } from './call.js';
import { AccountResources } from './resource.js';
import { AccountTools } from './tool.js';

/** Minimum time between two notifications about the same list on one stream. */
const GAP_MS = 500;
const KEEP_ALIVE_MS = 15_000;
/** Bounded because each notification repeats it. */
const MAX_ID_LENGTH = 256;

interface ChangingList {
  /** The member of the client's filter that asks for it. */
  readonly member: string;
  readonly method: string;
  readonly source: Pick<AccountTools | AccountResources, 'onChanged'>;
  /** Whether it may have something for the caller: others would learn what its person's pages do. */
  readonly isFor: (caller: AnyMcpCaller) => boolean;
}

export interface Subscription {
  readonly id: RequestId;
  readonly lists: readonly ChangingList[];
  readonly end: string;
}

/**
 * The streams of `subscriptions/listen` (MCP 2026-07-28), which stay open to report changes of an account's
 * lists: the first change at once, then at most twice a second. A stream ends with its grant, when its reader
 * does not read, and when this replica shuts down.
 */
@Injectable()
export class SubscriptionsService {
  private readonly open = new Map<EventStream, () => void>();
  private readonly lists: readonly ChangingList[];
  private isClosing = false;

  constructor(@Optional() tools?: AccountTools, @Optional() resources?: AccountResources) {
    const of = (list: string, members: Pick<ChangingList, 'source' | 'isFor'>) => ({
      member: `${list}ListChanged`,
      method: `notifications/${list}/list_changed`,
      ...members,
    });
    const areShownTo = (caller: AnyMcpCaller) =>
      caller.user !== undefined && (tools?.isShownTo?.(caller) ?? true);
    const scope = resources?.template?.scope;
    const areListedFor = (caller: AnyMcpCaller) =>
      scope !== undefined && caller.scopes.includes(scope);
    this.lists = [
      ...(tools ? [of('tools', { source: tools, isFor: areShownTo })] : []),
      ...(resources ? [of('resources', { source: resources, isFor: areListedFor })] : []),
    ];
  }

  /**
   * The subscription of a request that the library accepted; undefined when it includes no list that can change for its
   * caller.
   */
  wantedBy(
    { era, requests: [posted] }: PostedMessages,
    answer: McpAnswer | undefined,
    caller: AnyMcpCaller,
  ) {
    const request = posted?.message;
    if (era === 'legacy' || request?.method !== 'subscriptions/listen') return undefined;
    if (!answer || 'error' in answer || String(request.id).length > MAX_ID_LENGTH) return undefined;
    const filter = request.params?.['notifications'];
    if (!isJsonObject(filter)) return undefined;
    const lists = this.lists.filter(
      ({ member, isFor }) => filter[member] === true && isFor(caller),
    );
    return lists.length === 0 ? undefined : { id: request.id, lists, end: jsonOf(answer) };
  }

  async serve(
    { id, lists, end: last }: Subscription,
    userId: string,
    stream: EventStream,
    lookAgain: LookAgain,
  ) {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const notify = (method: string, params: object = {}) => {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
      if (!stream.send({ jsonrpc: '2.0', method, params: { ...params, _meta } })) stream.cut();
    };
    const notifications = Object.fromEntries(lists.map(({ member }) => [member, true]));
    notify('notifications/subscriptions/acknowledged', { notifications });
    const stops = lists.map(({ method, source, isFor }) => {
      const changes = new Throttle(GAP_MS, async () => {
        const caller = await lookAgain();
        if (!caller) stream.cut();
        else if (isFor(caller)) notify(method);
      });
      const stop = source.onChanged(userId, () => changes.trigger());
      return () => [changes.stop(), stop()];
    });
    this.open.set(stream, end);
    stream.onEnd(end);
    if (this.isClosing) end();
    await whileWaiting(() => over);
    this.open.delete(stream);
    for (const stop of stops) stop();
    stream.end(last);
  }

  /** Without it, proxies end a silent stream. */
  @Interval('subscriptions', KEEP_ALIVE_MS)
  keepAlive(): void {
    for (const stream of this.open.keys()) if (!stream.keepAlive()) stream.cut();
  }

  /** Ends all streams, and every later one at once, because this replica is shutting down. */
  endAll(): void {
    this.isClosing = true;
    for (const end of this.open.values()) end();
  }
}
