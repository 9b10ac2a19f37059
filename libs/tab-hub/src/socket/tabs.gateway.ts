import { Injectable } from '@nestjs/common';
import type { RawData } from 'ws';
import { Buckets, type Flow } from '#libs/load';
import type { Delivery } from '../hub/delivery-acks.js';
import { TabBus, TABS_CHANGED, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { TabPresence } from '../presence/tab-presence.js';
import { FrameError } from '../protocol/frame.error.js';
import { hubFrame } from '../protocol/hub-frame.js';
import { UnknownTabError } from '../protocol/tab-call.error.js';
import type { PageTool } from '../protocol/page-tool.js';
import {
  type Hello,
  parseTabFrame,
  type Progress,
  type Result,
  type Send,
  type TabFrame,
} from '../protocol/tab-frame.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TabOffer } from './tab-offer.js';
import type { TabSocket } from './tab-socket.js';

const MAX_PENDING_SENDS = 32;
const HEARD_GAP_MS = 1000;
/** Characters of what takes long to look at, from all tabs of an account to this replica: 32 whole lists, and five a second. */
const LONG_LOOKS: Flow = { atOnce: 2 * 1024 * 1024, perSecond: 256 * 1024 };

/** What tabs say to the hub, one frame of a tab after the other. */
@Injectable()
export class TabsGateway {
  private readonly longLooks = new Buckets(LONG_LOOKS);

  constructor(
    private readonly connections: TabConnectionsService,
    private readonly presence: TabPresence,
    private readonly bus: TabBus,
  ) {}

  /**
   * Resolves when the next frame may come. A refused frame is answered with `error`; what else goes wrong ends
   * the connection.
   */
  async take(tab: TabSocket, raw: RawData): Promise<void> {
    await tab.opened;
    if (!tab.isOpen) return;
    const text = raw.toString();
    let frame: TabFrame | undefined;
    try {
      frame = parseTabFrame(text);
      this.hear(tab);
      await this.act(tab, frame);
    } catch (error) {
      this.refuse(tab, error);
    }
    if (frame === undefined || frame.event === 'tools') await this.giveWay(tab, text.length);
  }

  /** The frames of others come first where an account's take long to look at. */
  private async giveWay({ userId }: TabSocket, characters: number) {
    const ms = this.longLooks.owe(userId, characters);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms).unref());
  }

  private act(tab: TabSocket, frame: TabFrame): Promise<void> | void {
    switch (frame.event) {
      case 'hello':
        return this.hello(tab, frame.data);
      case 'send':
        return this.send(tab, frame.data);
      case 'result':
        return this.result(tab, frame.data);
      case 'progress':
        return this.progress(tab, frame.data);
      case 'tools':
        return this.tools(tab, frame.data);
      case 'ping':
        return void tab.write(hubFrame('pong', frame.data));
    }
  }

  /** What it does not name stays as it was. */
  private async hello(tab: TabSocket, { title = tab.title, url = tab.address }: Hello) {
    if (title === tab.title && url === tab.address) return;
    tab.title = title;
    tab.address = url;
    await this.presence.update(tab.userId, tab.tab);
    await this.bus.publish(tab.userId, TABS_CHANGED);
  }

  /** The next frame need not wait: the list may have to. */
  private tools(tab: TabSocket, tools: readonly PageTool[]) {
    tab.offer ??= this.beginOffer(tab);
    tab.offer.replace(tools);
  }

  private beginOffer(tab: TabSocket) {
    const offer = new TabOffer((tools) => this.publishOffer(tab, tools));
    tab.once('leaving', () => offer.stop());
    return offer;
  }

  private async publishOffer(tab: TabSocket, tools: readonly PageTool[]) {
    tab.toolNames = tools.map(({ name }) => name);
    tab.heardAt = performance.now();
    try {
      await this.presence.offer(tab.userId, tab.tab, tools);
      await this.bus.publish(tab.userId, TOOLS_CHANGED);
    } catch (error) {
      this.connections.fail(tab, error);
    }
  }

  /** Of pages that offer nothing nobody asks which of them said something last. */
  private hear(tab: TabSocket) {
    const now = performance.now();
    if (tab.toolNames.length === 0 || now - tab.heardAt < HEARD_GAP_MS) return;
    tab.heardAt = now;
    this.presence
      .update(tab.userId, tab.tab)
      .catch((error: unknown) => this.connections.fail(tab, error));
  }

  /** The next frame need not wait until this one is on its way or acknowledged, unless many are. */
  private async send(tab: TabSocket, { to, body, id }: Send) {
    const { hub } = tab;
    if (!hub) return;
    await hub.assertOpen(to);
    const message = { from: tab.id, body };
    const sent =
      id === undefined
        ? hub.send(to, message)
        : acknowledge(tab, id, hub.sendAcknowledged(to, message));
    const followed = this.follow(tab, sent);
    if (tab.pendingSends >= MAX_PENDING_SENDS) await followed;
  }

  private async result(tab: TabSocket, { id, outcome }: Result) {
    if (!(await tab.hub?.calls.answer(tab, id, outcome))) throw notAsked(id);
  }

  private async progress(tab: TabSocket, { id, progress }: Progress) {
    if (!(await tab.hub?.calls.tell(tab, id, progress))) throw notAsked(id);
  }

  private async follow(tab: TabSocket, sent: Promise<void>) {
    tab.pendingSends += 1;
    try {
      await sent;
    } catch (error) {
      this.connections.fail(tab, error);
    }
    tab.pendingSends -= 1;
  }

  private refuse(tab: TabSocket, error: unknown) {
    if (error instanceof FrameError) tab.refuse(error);
    else if (error instanceof UnknownTabError) {
      tab.refuse(new FrameError('unknown_tab', error.message));
    } else this.connections.fail(tab, error);
  }
}

const notAsked = (id: string) =>
  new FrameError('bad_message', 'no request of that id waits for this tab', id);

async function acknowledge(
  tab: TabSocket,
  id: string,
  sending: Promise<{ delivery: Promise<Delivery> }>,
) {
  const { delivery } = await sending;
  const { delivered } = await delivery;
  tab.write(hubFrame('ack', { id, delivered }));
}
