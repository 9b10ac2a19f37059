import type { WsMessageHandler } from '@nestjs/common';
import { type TabSocket, TabsWsAdapter } from '#libs/tab-hub';
import type { HubMetricsService } from './hub-metrics.service.js';

/** The hub's adapter, with tabs and frames counted. */
export class MeteredTabsWsAdapter extends TabsWsAdapter {
  constructor(private readonly metrics: HubMetricsService) {
    super();
  }

  override bindMessageHandlers(socket: TabSocket, handlers: WsMessageHandler[]) {
    super.bindMessageHandlers(socket, handlers);
    this.metrics.opened();
    socket.once('close', () => this.metrics.closed());
    socket.on('message', () => this.metrics.received());
    socket.on('written', () => this.metrics.sent());
  }
}
