import type { TabBusMessage } from '../bus/tab-bus.js';
import type { CloseFrame } from '../protocol/frames-to-tab.js';

/** The caller's replica cancels its requests itself; after this time it has crashed. */
const GRACE_MS = 500;
/** Replicas of earlier versions send `expiresAt` alone, by a clock that may be behind. */
const LEEWAY_MS = 60_000;

export type LatestKind = 'tabs' | 'requests';

export interface LocalTab {
  readonly id: string;
  /** `tokenHash` of the session that opened it. */
  readonly session: string;
  readonly requests: TabRequests;
  /** `digestOf` what its page offers, whether that is published yet or not. */
  readonly offerDigest: string;
  /** Resolves when what its page offers is published, or cannot be. Never rejects. */
  publishOffer(): Promise<void>;
  /** Returns whether it was written: not before the welcome, and not to a tab that is closing. */
  write(frame: Buffer): boolean;
  /** As `write`, for a frame that replaces those of its kind: of several that wait for a slow reader, only the last is written. */
  writeLatest(kind: LatestKind, frame: Buffer): void;
  end(close: CloseFrame): void;
}

type NewRequest = Pick<
  Extract<TabBusMessage, { kind: 'request' }>,
  'id' | 'expiresAt' | 'timeoutMs' | 'wantsProgress'
>;

interface PendingRequest {
  readonly wantsProgress: boolean;
  readonly timer: NodeJS.Timeout;
  progress: number;
}

/** Requests that a tab has not answered yet; each is closed once. */
export class TabRequests {
  private pending: Map<string, PendingRequest> | undefined;

  get size() {
    return this.pending?.size ?? 0;
  }

  has(id: string) {
    return this.pending?.has(id) ?? false;
  }

  add({ id, expiresAt, timeoutMs, wantsProgress = false }: NewRequest, onExpired: () => void) {
    this.close(id);
    const leftMs = Math.max(Date.parse(expiresAt) - Date.now(), 0) + LEEWAY_MS;
    const timer = setTimeout(onExpired, timeoutMs === undefined ? leftMs : timeoutMs + GRACE_MS);
    this.pending ??= new Map();
    this.pending.set(id, { wantsProgress, timer: timer.unref(), progress: -Infinity });
  }

  close(id: string): boolean {
    clearTimeout(this.pending?.get(id)?.timer);
    return this.pending?.delete(id) ?? false;
  }

  closeAll(): string[] {
    const ids = [...(this.pending?.keys() ?? [])];
    for (const id of ids) this.close(id);
    return ids;
  }

  /** Records progress. Returns whether the caller gets it: only if it wants progress, and this is more than before. */
  advance(id: string, progress: number): boolean {
    const request = this.pending?.get(id);
    if (!request || progress <= request.progress) return false;
    request.progress = progress;
    return request.wantsProgress;
  }
}
