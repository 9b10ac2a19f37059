import { type ArgumentsHost, Catch, UseFilters, type WsExceptionFilter } from '@nestjs/common';
import {
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { Session } from '#libs/accounts';
import { SchemaChecks } from '#libs/platform';
import { TabBus, TABS_CHANGED, TOOLS_CHANGED } from '../bus/tab-bus.js';
import type { Delivery } from '../hub/account-publisher.js';
import { UnknownTabError } from '../hub/errors.js';
import { TabPresence } from '../presence/tab-presence.js';
import { badMessage, FrameError } from '../protocol/frame-fields.js';
import { hubFrame } from '../protocol/hub-frame.js';
import type { PageTool } from '../protocol/page-tool.js';
import {
  type Hello,
  MAX_FRAME_BYTES,
  type Progress,
  type Result,
  type Send,
} from '../protocol/tab-frame.js';
import type { GatewayOptions } from './gateway-adapter.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TabOffer, TabSocket } from './tab-socket.js';

/** Answers a refused frame with `error`; whatever else goes wrong ends the tab's connection. */
@Catch()
export class FrameErrorFilter implements WsExceptionFilter {
  constructor(private readonly connections: TabConnectionsService) {}

  catch(error: unknown, host: ArgumentsHost) {
    const tab = host.switchToWs().getClient<TabSocket>();
    if (error instanceof FrameError) tab.refuse(error);
    else if (error instanceof UnknownTabError) {
      tab.refuse(new FrameError('unknown_tab', error.message));
    } else this.connections.fail(tab, error);
  }
}

export const TABS_PATH = '/svc/me/tabs';

export const TABS_GATEWAY = {
  path: TABS_PATH,
  acceptedByController: true,
  WebSocket: TabSocket,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  closeTimeout: 3000,
} satisfies GatewayOptions;

const MAX_PENDING_SENDS = 32;

/**
 * What tabs say to the hub. `TabsController` decides who connects; frames come here parsed, one of a tab after
 * the other: the next one is taken when the handler's promise is settled.
 */
@WebSocketGateway(TABS_GATEWAY)
@UseFilters(FrameErrorFilter)
export class TabsGateway implements OnGatewayConnection<TabSocket>, OnGatewayDisconnect<TabSocket> {
  constructor(
    private readonly connections: TabConnectionsService,
    private readonly presence: TabPresence,
    private readonly bus: TabBus,
    private readonly checks: SchemaChecks,
  ) {}

  async handleConnection(tab: TabSocket, session: Session) {
    await this.connections.open(tab, session);
  }

  async handleDisconnect(tab: TabSocket) {
    await this.connections.leave(tab);
  }

  /** Members that it does not name stay as they were. */
  @SubscribeMessage('hello')
  async hello(tab: TabSocket, { title = tab.title, url = tab.address }: Hello) {
    if (title === tab.title && url === tab.address) return;
    tab.title = title;
    tab.address = url;
    await this.presence.update(tab.userId, tab.tab);
    await this.bus.publish(tab.userId, TABS_CHANGED);
  }

  /** The next frame need not wait until this one is on its way or acknowledged, unless many are. */
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

  @SubscribeMessage('result')
  async result(tab: TabSocket, { id, outcome }: Result) {
    if (!(await tab.hub?.calls.answer(tab, id, outcome))) throw notAsked(id);
  }

  @SubscribeMessage('progress')
  async progress(tab: TabSocket, { id, progress }: Progress) {
    if (!(await tab.hub?.calls.tell(tab, id, progress))) throw notAsked(id);
  }

  /** The next frame waits until the schemas were looked at, and not until the list is known to others. */
  @SubscribeMessage('tools')
  async tools(tab: TabSocket, tools: readonly PageTool[]) {
    await this.checkSchemas(tab, tools);
    if (!tab.isOpen) return;
    tab.offer ??= this.beginOffer(tab);
    tab.offer.replace(tools);
  }

  @SubscribeMessage('ping')
  ping(tab: TabSocket, data: unknown) {
    tab.write(hubFrame('pong', data));
  }

  /** @throws FrameError `bad_message` */
  private async checkSchemas({ userId, id }: TabSocket, tools: readonly PageTool[]) {
    const given = tools.flatMap(({ inputSchema: schema }, n) => (schema ? { schema, n } : []));
    if (given.length === 0) return;
    const schemas = given.map(({ schema }) => schema);
    const { fault, at = -1 } = await this.checks.faultAmong({ account: userId, id }, schemas);
    if (fault === undefined) return;
    const which = given[at]
      ? `data.tools[${given[at].n}].inputSchema`
      : 'the schemas of data.tools';
    throw badMessage(`${which} cannot be used: ${fault}`);
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

  private async follow(tab: TabSocket, sent: Promise<void>) {
    tab.pendingSends += 1;
    try {
      await sent;
    } catch (error) {
      this.connections.fail(tab, error);
    }
    tab.pendingSends -= 1;
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
