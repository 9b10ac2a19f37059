import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { TabBus, type Unsubscribe } from '../bus/tab-bus.js';
import { TabPresence } from '../presence/tab-presence.js';
import { AccountHub } from './account-hub.js';

interface OpenHub {
  readonly hub: AccountHub;
  readonly subscribed: Promise<Unsubscribe>;
  guests: number;
}

/** The hubs of the accounts that somebody on this replica is concerned with, each subscribed once. */
@Injectable()
export class AccountHubsService implements OnModuleInit {
  private readonly logger = new Logger(AccountHubsService.name);
  private readonly hubs = new Map<string, OpenHub>();

  constructor(
    private readonly bus: TabBus,
    private readonly presence: TabPresence,
  ) {}

  onModuleInit() {
    this.bus.onLost(() => this.abandon());
  }

  get size() {
    return this.hubs.size;
  }

  /** Every `enter` that resolves needs a `leave`. Rejects when the bus is down. */
  async enter(userId: string): Promise<AccountHub> {
    const open = this.hubs.get(userId) ?? this.open(userId);
    open.guests += 1;
    try {
      await open.subscribed;
    } catch (error) {
      this.leave(open.hub, open);
      throw error;
    }
    return open.hub;
  }

  leave(hub: AccountHub, open = this.hubs.get(hub.userId)) {
    if (open?.hub !== hub) return;
    open.guests -= 1;
    if (open.guests > 0) return;
    if (this.hubs.get(hub.userId) === open) this.hubs.delete(hub.userId);
    hub.close();
    open.subscribed
      .then((unsubscribe) => unsubscribe())
      .catch((error: unknown) =>
        this.logger.debug(`a hub was left in an outage: ${String(error)}`),
      );
  }

  /** Nothing that is subscribed is heard any more; who comes now subscribes anew. */
  private abandon() {
    const abandoned = [...this.hubs.values()];
    this.hubs.clear();
    for (const { hub } of abandoned) hub.close();
  }

  private open(userId: string): OpenHub {
    const hub = new AccountHub(userId, this.bus, this.presence);
    const subscribed = this.bus.subscribe(userId, (message) => hub.hear(message));
    const open = { hub, subscribed, guests: 0 };
    this.hubs.set(userId, open);
    return open;
  }
}
