import {
  CallRefusedError,
  CallTimeoutError,
  TabGoneError,
  TooManyCallsError,
} from '../protocol/tab-call.error.js';
import type { TabOutcome, TabProgress } from '../protocol/tab-message.js';

interface Call {
  readonly tabId: string;
  readonly timer: NodeJS.Timeout;
  readonly onProgress: ProgressListener | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

type ProgressListener = (progress: TabProgress) => void;

const MAX_CALLS = 64;

/** The calls of one account that wait on this replica for the answer of a tab. */
export class TabCalls {
  private readonly calls = new Map<string, Call>();

  get size() {
    return this.calls.size;
  }

  has(id: string) {
    return this.calls.has(id);
  }

  /** Resolves with the tab's value. @throws TooManyCallsError, and rejects as TabsService.call says */
  wait(
    id: string,
    tabId: string,
    timeoutMs: number,
    onProgress?: ProgressListener,
  ): Promise<unknown> {
    if (this.calls.size >= MAX_CALLS) throw new TooManyCallsError(MAX_CALLS);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(id, new CallTimeoutError(timeoutMs)), timeoutMs);
      this.calls.set(id, { tabId, timer, onProgress, resolve, reject });
    });
  }

  /** Only the first outcome of a call counts; null says that its tab is gone. */
  resolve(id: string, outcome: TabOutcome | null) {
    if (outcome === null) this.fail(id, new TabGoneError());
    else if (outcome.ok) this.take(id)?.resolve(outcome.value);
    else this.fail(id, new CallRefusedError(outcome.error));
  }

  /** What the listener throws fails the call. */
  tell(id: string, progress: TabProgress) {
    try {
      this.calls.get(id)?.onProgress?.(progress);
    } catch (error) {
      this.fail(id, error as Error);
    }
  }

  fail(id: string, error: Error) {
    this.take(id)?.reject(error);
  }

  /** Fails the calls to all tabs but these. */
  keepOnly(tabIds: ReadonlySet<string>) {
    for (const [id, { tabId }] of this.calls) if (!tabIds.has(tabId)) this.resolve(id, null);
  }

  private take(id: string) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    clearTimeout(call?.timer);
    return call;
  }
}
