import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { NO_HEARTBEAT } from '../protocol/close-codes.js';
import { TAB_HUB_OPTIONS, type TabHubOptions } from '../tab-hub.module-definition.js';
import { TabConnectionsService } from './tab-connections.service.js';

const INTERVAL_MS = 30_000;

/** Finds connections whose other end is gone without a word. */
@Injectable()
export class TabHeartbeatService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TAB_HUB_OPTIONS) private readonly options: TabHubOptions,
    private readonly connections: TabConnectionsService,
  ) {}

  onModuleInit() {
    const { heartbeatMs = INTERVAL_MS } = this.options;
    this.timer = setInterval(() => this.beat(), heartbeatMs).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** Closes who gave no sign of life since the last time, and asks all others for one. */
  beat() {
    for (const socket of this.connections.all) {
      if (!socket.isAlive) {
        socket.end(NO_HEARTBEAT);
      } else if (socket.isOpen) {
        socket.isAlive = false;
        socket.ping();
      }
    }
  }
}
