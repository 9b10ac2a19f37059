import { generateId } from '#libs/accounts';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { hubFrame } from '../protocol/frames-to-tab.js';
import type { TabOutcome, TabProgress } from '../protocol/tab.js';
import type { AccountPublisher } from './account-publisher.js';
import {
  CallCancelledError,
  CallRefusedError,
  CallTimeoutError,
  OutdatedCallError,
  TabGoneError,
  TooManyCallsError,
  UnknownTabError,
} from './errors.js';
import type { LocalTab } from './local-tab.js';

export interface TabRequest {
  /** The app's name, as the tab gets to see it. */
  readonly app: string;
  readonly method: string;
  /** Any JSON. */
  readonly params: unknown;
  readonly timeoutMs: number;
  /** `digestOf` the tools that the caller has checked it by; without, it is not compared with what the page offers. */
  readonly checkedBy?: string | undefined;
  /** Aborting it ends the waiting, and the tab is told. */
  readonly signal?: AbortSignal;
  /** Called with the tab's progress while the call waits. An error that it throws fails the call. */
  readonly onProgress?: (progress: TabProgress) => void;
}

type Request = Extract<TabBusMessage, { kind: 'request' }>;

interface WaitingCall {
  readonly tabId: string;
  readonly timer: NodeJS.Timeout;
  readonly onProgress: TabRequest['onProgress'];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const MAX_CALLS = 64;

/**
 * The calls of one account: those made on this replica, to a tab of any replica, and those that tabs of
 * this replica have to answer. The caller's replica publishes `request`, the tab's `progress` and `settled`.
 */
export class TabCalls {
  private readonly waiting = new Map<string, WaitingCall>();

  constructor(
    private readonly tabs: ReadonlyMap<string, LocalTab>,
    private readonly publisher: AccountPublisher,
  ) {}

  get size() {
    return this.waiting.size;
  }

  async call(to: string, { signal, onProgress, ...asked }: TabRequest): Promise<unknown> {
    if (signal?.aborted) throw new CallCancelledError();
    if (this.waiting.size >= MAX_CALLS) throw new TooManyCallsError(MAX_CALLS);
    const id = generateId();
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    const { timeoutMs } = asked;
    const timer = setTimeout(() => this.fail(id, new CallTimeoutError(timeoutMs)), timeoutMs);
    this.waiting.set(id, { tabId: to, timer, onProgress, resolve, reject });
    const cancel = () => this.fail(id, new CallCancelledError());
    signal?.addEventListener('abort', cancel);
    const expiresAt = new Date(Date.now() + timeoutMs).toISOString();
    const wantsProgress = onProgress !== undefined;
    void this.ask({ kind: 'request', to, id, expiresAt, wantsProgress, ...asked });
    try {
      return await answer;
    } catch (error) {
      const isGivenUp = error instanceof CallTimeoutError || error instanceof CallCancelledError;
      if (isGivenUp) this.publisher.notify({ kind: 'settled', id, outcome: null });
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /**
   * Writes the request to its tab, which may answer from now on. One that was checked by other tools than its page
   * offers is settled as outdated, once these are published. Returns how many tabs it is for: 0 or 1.
   */
  onRequest(request: Request): number {
    const { to, id, app, method, params, expiresAt, checkedBy } = request;
    const tab = this.tabs.get(to);
    if (tab && checkedBy !== undefined && checkedBy !== tab.offerDigest) {
      const outdated = { kind: 'settled', id, outcome: null, isOutdated: true } as const;
      void tab.publishOffer().then(() => this.publisher.notify(outdated));
      return 1;
    }
    if (!tab?.write(hubFrame('request', { id, app, method, params, expiresAt }))) return 0;
    tab.requests.add(request, () => cancelAt(tab, id));
    return 1;
  }

  async answer(tab: LocalTab, id: string, outcome: TabOutcome): Promise<boolean> {
    if (!tab.requests.close(id)) return false;
    await this.publisher.publish({ kind: 'settled', id, outcome });
    return true;
  }

  async reportProgress(tab: LocalTab, id: string, progress: TabProgress): Promise<boolean> {
    if (!tab.requests.has(id)) return false;
    if (!tab.requests.advance(id, progress.progress)) return true;
    if (this.waiting.has(id)) this.onProgress(id, progress);
    else await this.publisher.publish({ kind: 'progress', id, progress });
    return true;
  }

  onProgress(id: string, progress: TabProgress) {
    try {
      this.waiting.get(id)?.onProgress?.(progress);
    } catch (error) {
      this.fail(id, error as Error);
    }
  }

  /** The first outcome of a call counts. A tab of this replica that still works on the call is told to stop. */
  onSettled(id: string, outcome: TabOutcome | null, isOutdated = false) {
    if (isOutdated) this.fail(id, new OutdatedCallError());
    else if (outcome === null) this.fail(id, new TabGoneError());
    else if (outcome.ok) this.take(id)?.resolve(outcome.value);
    else this.fail(id, new CallRefusedError(outcome.error));
    for (const tab of this.tabs.values()) cancelAt(tab, id);
  }

  leave(tab: LocalTab) {
    for (const id of tab.requests.closeAll()) {
      this.publisher.notify({ kind: 'settled', id, outcome: null });
    }
  }

  keepOnly(tabIds: ReadonlySet<string>) {
    for (const [id, { tabId }] of this.waiting) {
      if (!tabIds.has(tabId)) this.fail(id, new TabGoneError());
    }
  }

  /** A tab of this replica is asked without the bus. */
  private async ask(request: Request) {
    const { id, to } = request;
    if (this.tabs.has(to)) {
      if (this.onRequest(request) === 0) this.fail(id, new UnknownTabError());
      return;
    }
    try {
      const { delivered, isComplete } = await this.publisher.publishAcknowledged(id, request);
      if (delivered === 0 && isComplete) this.fail(id, new UnknownTabError());
    } catch (error) {
      this.fail(id, error as Error);
    }
  }

  private fail(id: string, error: Error) {
    this.take(id)?.reject(error);
  }

  private take(id: string) {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(call?.timer);
    return call;
  }
}

function cancelAt(tab: LocalTab, id: string) {
  if (tab.requests.close(id)) tab.write(hubFrame('cancel', { id }));
}
