import {
  CallCancelledError,
  CallRefusedError,
  CallTimeoutError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from './errors.js';
import type { TabOutcome, TabProgress } from '../protocol/tab.js';
import { whileWaiting } from '#libs/platform';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { type AccountPublisher, randomId } from './account-publisher.js';
import type { LocalTab, LocalTabs } from './local-tabs.js';

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

/** What a tab is asked for, and how long to wait for the answer. */
export interface TabRequest {
  readonly app: string;
  readonly method: string;
  readonly params: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TabProgress) => void;
}

type Request = Extract<TabBusMessage, { kind: 'request' }>;
type Settled = Extract<TabBusMessage, { kind: 'settled' }>;

/** What one account's tabs are asked on this replica, and what its own tabs are asked from anywhere. */
export class AccountCalls {
  private readonly waiting = new TabCalls();

  constructor(
    private readonly tabs: LocalTabs,
    private readonly publisher: AccountPublisher,
  ) {}

  /** How many wait on this replica. */
  get size() {
    return this.waiting.size;
  }

  /** What the tab answers; fails as TabsService.call does. */
  async call(to: string, { signal, onProgress, ...asked }: TabRequest): Promise<unknown> {
    if (signal?.aborted) throw new CallCancelledError();
    const id = randomId();
    const expiresAt = new Date(Date.now() + asked.timeoutMs).toISOString();
    const answer = this.waiting.wait(id, to, asked.timeoutMs, onProgress);
    const cancel = () => this.waiting.fail(id, new CallCancelledError());
    signal?.addEventListener('abort', cancel);
    const wantsProgress = onProgress !== undefined;
    void this.put({ kind: 'request', to, id, expiresAt, wantsProgress, ...asked });
    try {
      return await whileWaiting(() => answer);
    } catch (error) {
      const isGivenUp = error instanceof CallTimeoutError || error instanceof CallCancelledError;
      if (isGivenUp) this.takeBack(id);
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Passes a tab's answer on to whoever asked; false when nobody waits for it. */
  async answer(tab: LocalTab, id: string, outcome: TabOutcome): Promise<boolean> {
    if (!tab.requests.close(id)) return false;
    await this.publisher.publish({ kind: 'settled', id, outcome });
    return true;
  }

  /** Passes a tab's progress on to whoever asked and wants to hear of it; false when nobody waits for the answer. */
  async tell(tab: LocalTab, id: string, progress: TabProgress): Promise<boolean> {
    if (!tab.requests.has(id)) return false;
    if (!tab.requests.advance(id, progress.progress)) return true;
    if (this.waiting.has(id)) this.waiting.tell(id, progress);
    else await this.publisher.publish({ kind: 'progress', id, progress });
    return true;
  }

  onProgress({ id, progress }: Extract<TabBusMessage, { kind: 'progress' }>) {
    this.waiting.tell(id, progress);
  }

  /** A tab of this replica that still works on it is told that nobody waits. */
  onSettled({ id, outcome }: Settled) {
    this.waiting.resolve(id, outcome);
    this.tabs.cancel(id);
  }

  /** What the tab has not answered fails at once. */
  leave(tab: LocalTab) {
    for (const id of tab.requests.closeAll()) this.takeBack(id);
  }

  /** Fails the calls to all tabs but these. */
  keepOnly(tabIds: ReadonlySet<string>) {
    this.waiting.keepOnly(tabIds);
  }

  private async put(request: Request) {
    const { id, to } = request;
    if (this.tabs.has(to)) {
      if (this.tabs.request(request) === 0) this.waiting.fail(id, new UnknownTabError());
      return;
    }
    try {
      const { delivery } = await this.publisher.publishAcknowledged(id, request);
      const { delivered, isComplete } = await delivery;
      if (delivered === 0 && isComplete) this.waiting.fail(id, new UnknownTabError());
    } catch (error) {
      this.waiting.fail(id, error as Error);
    }
  }

  /** Nobody waits for the answer any more, or there will be none. */
  private takeBack(id: string) {
    this.publisher.notify({ kind: 'settled', id, outcome: null });
  }
}
