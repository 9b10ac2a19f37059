import { UseFilters } from '@nestjs/common';
import {
  type OnGatewayConnection,
  SubscribeMessage,
  WebSocketGateway,
  WebSocketServer,
} from '@nestjs/websockets';
import type { Session } from '#libs/accounts';
import { FrameError } from '../protocol/frame.error.js';
import { hubFrame } from '../protocol/hub-frame.js';
import type { Delivery } from '../hub/delivery-acks.js';
import { TabBus } from '../bus/tab-bus.js';
import type { Hello, Result, Send } from '../protocol/tab-frame.js';
import { TabPresence } from '../presence/tab-presence.js';
import { FrameErrorFilter } from './frame-error.filter.js';
import { TabConnectionsService } from './tab-connections.service.js';
import type { TabSocket, TabSocketServer } from './tab-socket.js';

const MAX_PENDING_ACKS = 32;

/** What tabs say to the hub, one frame of a tab after the other. */
@UseFilters(FrameErrorFilter)
@WebSocketGateway()
export class TabsGateway implements OnGatewayConnection<TabSocket> {
  @WebSocketServer()
  readonly server!: TabSocketServer;

  constructor(
    private readonly connections: TabConnectionsService,
    private readonly presence: TabPresence,
    private readonly bus: TabBus,
  ) {}

  handleConnection(socket: TabSocket, session: Session) {
    socket.opened = this.connections.open(socket, session);
  }

  /** What it does not name stays as it was. */
  @SubscribeMessage('hello')
  async hello(socket: TabSocket, { title = socket.title, url = socket.address }: Hello) {
    if (title === socket.title && url === socket.address) return;
    socket.title = title;
    socket.address = url;
    await this.presence.update(socket.userId, socket.tab);
    await this.bus.publish(socket.userId, { kind: 'tabs' });
  }

  /** The next frame need not wait for the `ack`, unless many are pending. @throws UnknownTabError */
  @SubscribeMessage('send')
  async send(socket: TabSocket, { to, body, id }: Send) {
    const { hub } = socket;
    if (!hub) return undefined;
    await hub.assertOpen(to);
    const message = { from: socket.id, body };
    if (id === undefined) return hub.send(to, message);
    const { delivery } = await hub.sendAcknowledged(to, message);
    const acknowledged = acknowledge(socket, id, delivery);
    return socket.pendingAcks < MAX_PENDING_ACKS ? undefined : acknowledged;
  }

  @SubscribeMessage('result')
  async result(socket: TabSocket, { id, outcome }: Result) {
    const isAwaited = await socket.hub?.answer(socket, id, outcome);
    if (!isAwaited) throw new FrameError('bad_message', 'no request of that id waits for this tab');
  }

  @SubscribeMessage('ping')
  ping(socket: TabSocket, data: unknown) {
    socket.write(hubFrame('pong', data));
  }
}

async function acknowledge(socket: TabSocket, id: string, delivery: Promise<Delivery>) {
  socket.pendingAcks += 1;
  const { delivered } = await delivery;
  socket.pendingAcks -= 1;
  socket.write(hubFrame('ack', { id, delivered }));
}
