import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { Express } from 'express';
import { Drain } from './drain.js';
import { JsonRepliesAdapter } from './json-replies.adapter.js';

/** Answers requests in flight before any provider's shutdown hook runs. */
export class DrainingAdapter extends JsonRepliesAdapter {
  private drain: Drain | undefined;
  private readonly endListeners: (() => void)[] = [];

  constructor(
    express: Express,
    private readonly graceMs: number,
  ) {
    super(express);
  }

  override initHttpServer(options: NestApplicationOptions) {
    super.initHttpServer(options);
    this.drain = new Drain(this.getHttpServer() as Server, this.graceMs);
  }

  /** Call this before the application is closed, where a balancer is in front of it. */
  async drainConnections() {
    await this.drain?.drainConnections();
  }

  /** Calls `listener` when the application ends, before it waits for requests in flight. */
  onEnd(listener: () => void) {
    this.endListeners.push(listener);
  }

  override async beforeClose() {
    super.beforeClose();
    for (const listener of this.endListeners) listener();
    await this.drain?.finishRequests();
  }

  override async close() {
    this.drain?.cutUpgradedSoon();
    await super.close();
  }
}
