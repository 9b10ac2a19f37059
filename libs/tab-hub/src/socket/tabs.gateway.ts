import { type ArgumentsHost, Catch, UseFilters, type WsExceptionFilter } from '@nestjs/common';
import {
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { Session } from '#libs/accounts';
import type { Delivery } from '../hub/account-publisher.js';
import { FrameError } from '../protocol/frame-fields.js';
import { hubFrame } from '../protocol/frames-to-tab.js';
import type { PageTool } from '../protocol/page-tool.js';
import {
  type Hello,
  MAX_FRAME_BYTES,
  type Progress,
  type Result,
  type Send,
} from '../protocol/frames-from-tab.js';
import type { GatewayOptions } from './gateway-adapter.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TabOffersService } from './tab-offers.service.js';
import { TabSocket } from './tab-socket.js';

@Catch()
export class FrameErrorFilter implements WsExceptionFilter {
  constructor(private readonly connections: TabConnectionsService) {}

  catch(error: unknown, host: ArgumentsHost) {
    this.connections.handleError(host.switchToWs().getClient<TabSocket>(), error);
  }
}

export const TABS_PATH = '/svc/me/tabs';

export const TABS_GATEWAY = {
  path: TABS_PATH,
  acceptedByController: true,
  WebSocket: TabSocket,
  perMessageDeflate: false,
  // `TabInflowService` answers pings.
  autoPong: false,
  maxPayload: MAX_FRAME_BYTES,
  // `ws` keeps each piece by itself, and some hundred bytes with it: browsers and proxies send few.
  maxFragments: 16,
  maxBufferedChunks: 256,
  closeTimeout: 3000,
} satisfies GatewayOptions;

const MAX_PENDING_SENDS = 32;

/**
 * The frames that tabs send (contract: Tab hub; docs/reference/hub-protocol.md, "From the tab"). They come through
 * `TabInflowService`, which limits, orders and checks them, and takes a tab's next frame when the handler's promise is
 * settled. What a handler throws becomes an `error` frame, or ends the connection
 * (`TabConnectionsService.handleError`).
 */
@WebSocketGateway(TABS_GATEWAY)
@UseFilters(FrameErrorFilter)
export class TabsGateway implements OnGatewayConnection<TabSocket>, OnGatewayDisconnect<TabSocket> {
  constructor(
    private readonly connections: TabConnectionsService,
    private readonly offers: TabOffersService,
  ) {}

  async handleConnection(tab: TabSocket, session: Session) {
    await this.connections.open(tab, session);
  }

  async handleDisconnect(tab: TabSocket) {
    await this.connections.leave(tab);
  }

  /** Sets the title and address that others see; members that it does not have stay as they were. Does not wait. */
  @SubscribeMessage('hello')
  hello(tab: TabSocket, { title = tab.title, url = tab.address }: Hello) {
    if (title === tab.title && url === tab.address) return;
    tab.title = title;
    tab.address = url;
    tab.changes?.trigger();
  }

  /**
   * 1. `to` is an open tab of the account, or all: otherwise `unknown_tab`.
   * 2. `message` goes to it, on whatever replica it is, as far as the account may be sent it: otherwise `rate_limited`.
   * 3. With an `id`, the sender gets `ack` once it is known to how many tabs it was written.
   *
   * The next frame waits for 2 and 3 only while 32 messages of the tab do.
   */
  @SubscribeMessage('send')
  async send(tab: TabSocket, { to, body, id }: Send) {
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

  /** Settles the `request` of that id, once, while its caller waits; otherwise `bad_message`. */
  @SubscribeMessage('result')
  async result(tab: TabSocket, { id, outcome }: Result) {
    if (!(await tab.hub?.calls.answer(tab, id, outcome))) throw notAsked(id);
  }

  /** Tells the caller of the `request` of that id, if it wants to hear of it; `bad_message` as for `result`. */
  @SubscribeMessage('progress')
  async progress(tab: TabSocket, { id, progress }: Progress) {
    if (!(await tab.hub?.calls.reportProgress(tab, id, progress))) throw notAsked(id);
  }

  /**
   * 1. The schemas of the tools are usable: otherwise `bad_message`, and the list before stays.
   * 2. The list replaces the one before; it is published without the next frame waiting for that.
   */
  @SubscribeMessage('tools')
  async tools(tab: TabSocket, tools: readonly PageTool[]) {
    await this.offers.check(tab, tools);
    if (tab.isOpen) await this.offers.replace(tab, tools);
  }

  /** `pong` with the same data, as far as the account may be sent it: otherwise `rate_limited`. */
  @SubscribeMessage('ping')
  ping(tab: TabSocket, data: unknown) {
    const frame = hubFrame('pong', data);
    // Never refused, so that a page can tell that it is connected: a pong is hardly longer than its ping.
    tab.hub?.outflow.owe(1, frame.length);
    tab.write(frame);
  }

  private async follow(tab: TabSocket, sent: Promise<void>) {
    tab.pendingSends += 1;
    try {
      await sent;
    } catch (error) {
      this.connections.handleError(tab, error);
    }
    tab.pendingSends -= 1;
  }
}

const notAsked = (id: string) =>
  new FrameError('bad_message', 'no request of that id waits for this tab', id);

async function acknowledge(tab: TabSocket, id: string, sending: Promise<Delivery>) {
  const { delivered } = await sending;
  tab.answer(hubFrame('ack', { id, delivered }));
}
