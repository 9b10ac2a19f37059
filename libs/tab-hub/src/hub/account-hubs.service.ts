import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { TabBus, type Unsubscribe } from '../bus/tab-bus.js';
import { TabPresence } from '../presence/tab-presence.js';
import { AccountHub } from './account-hub.js';
import { AccountOutflows } from './account-outflow.js';
import { OpenRequests } from './open-requests.js';

interface OpenHub {
  readonly hub: AccountHub;
  readonly subscribed: Promise<Unsubscribe>;
  holders: number;
}

@Injectable()
export class AccountHubsService implements OnModuleInit {
  private readonly logger = new Logger(AccountHubsService.name);
  private readonly hubs = new Map<string, OpenHub>();
  private readonly outflows = new AccountOutflows();

  constructor(
    private readonly bus: TabBus,
    private readonly presence: TabPresence,
    private readonly requests: OpenRequests,
  ) {}

  onModuleInit() {
    this.bus.onLost(() => this.closeAll());
    this.requests.onChanged((userId) => this.hubs.get(userId)?.hub.onRequestsChanged());
  }

  get size() {
    return this.hubs.size;
  }

  /** Every `acquire` that resolves needs a `release`. Rejects when the bus is down. */
  async acquire(userId: string): Promise<AccountHub> {
    const open = this.hubs.get(userId) ?? this.open(userId);
    open.holders += 1;
    try {
      await open.subscribed;
    } catch (error) {
      this.release(open.hub);
      throw error;
    }
    return open.hub;
  }

  release(hub: AccountHub) {
    const open = this.hubs.get(hub.userId);
    if (open?.hub !== hub) return;
    open.holders -= 1;
    if (open.holders > 0) return;
    this.hubs.delete(hub.userId);
    hub.close();
    open.subscribed
      .then((unsubscribe) => unsubscribe())
      .catch((error: unknown) =>
        this.logger.debug(`a hub was released in an outage: ${String(error)}`),
      );
  }

  /** Every subscription is void; the next `acquire` of an account subscribes again. */
  private closeAll() {
    const lost = [...this.hubs.values()];
    this.hubs.clear();
    for (const { hub } of lost) hub.close();
  }

  private open(userId: string): OpenHub {
    const { bus, presence, requests } = this;
    const hub = new AccountHub(userId, bus, presence, this.outflows.of(userId), requests);
    const subscribed = this.bus.subscribe(userId, (message) => hub.onMessage(message));
    const open = { hub, subscribed, holders: 0 };
    this.hubs.set(userId, open);
    return open;
  }
}
