import type { AccountHub } from './account-hub.js';

/** Where the hubs of accounts are; `acquire` rejects when the bus is down. */
interface Hubs {
  acquire(userId: string): Promise<AccountHub>;
  release(hub: AccountHub): void;
}

const RETRY_MS = 1000;

/** Follows what the pages of an account offer for one listener, until it is stopped, through losses of the bus. */
export class ToolsWatch {
  private release: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly hubs: Hubs,
    private readonly userId: string,
    private readonly listener: () => void,
  ) {
    void this.follow(() => undefined);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.release();
  }

  private async follow(onFollowed: () => void) {
    const hub = await this.hubs.acquire(this.userId).catch(() => undefined);
    if (!hub) return this.followLater();
    if (this.isStopped) return this.hubs.release(hub);
    const unlisten = hub.onTools({
      changed: this.listener,
      closed: () => this.followLater(),
    });
    this.release = () => {
      unlisten();
      this.hubs.release(hub);
    };
    onFollowed();
  }

  /** What changed meanwhile was missed. */
  private followLater() {
    this.release();
    this.release = () => undefined;
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.follow(this.listener), RETRY_MS).unref();
  }
}
