/** The caller says so itself when its time is up; this is for one that cannot any more. */
const GRACE_MS = 500;
/** The clock of a caller that says only when its request expires may be minutes behind. */
const LEEWAY_MS = 60_000;

export interface AskedOf {
  readonly id: string;
  readonly expiresAt: string;
  /** Missing in what replicas of earlier versions ask. */
  readonly timeoutMs?: number;
  /** Whether the caller wants to hear of progress. */
  readonly wantsProgress?: boolean;
}

interface OpenRequest {
  readonly wantsProgress: boolean;
  readonly timer: NodeJS.Timeout;
  progress: number;
}

/** What a tab was asked and has not answered yet; each is closed once. */
export class TabRequests {
  private readonly open = new Map<string, OpenRequest>();

  get size() {
    return this.open.size;
  }

  has(id: string) {
    return this.open.has(id);
  }

  /** Calls `onExpired` when the caller must have given it up by now. */
  add({ id, expiresAt, timeoutMs, wantsProgress = false }: AskedOf, onExpired: () => void) {
    this.close(id);
    const leftMs = Math.max(Date.parse(expiresAt) - Date.now(), 0) + LEEWAY_MS;
    const timer = setTimeout(onExpired, timeoutMs === undefined ? leftMs : timeoutMs + GRACE_MS);
    this.open.set(id, { wantsProgress, timer: timer.unref(), progress: -Infinity });
  }

  /** Returns whether it was open. */
  close(id: string): boolean {
    clearTimeout(this.open.get(id)?.timer);
    return this.open.delete(id);
  }

  /** Returns the ids of those that were open. */
  closeAll(): string[] {
    const ids = [...this.open.keys()];
    for (const id of ids) this.close(id);
    return ids;
  }

  /** Whether the caller wants to hear of it: not when it is no more than before. */
  advance(id: string, progress: number): boolean {
    const request = this.open.get(id);
    if (!request || progress <= request.progress) return false;
    request.progress = progress;
    return request.wantsProgress;
  }
}
