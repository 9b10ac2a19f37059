import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ScreeningService } from '#libs/code-runner';
import type { McpCaller } from '#libs/mcp';
import {
  AccountTurns,
  type Flow,
  roomAsNeeded,
  Semaphore,
  TokenBuckets,
  whileWaiting,
} from '#libs/platform';
import { type PageTool, TabsService, type TabTools } from '#libs/tab-hub';

const MAX_VERDICTS = 50_000;
/** The rate of screener requests about an account's pages; they are not charged to the budget. */
const QUESTIONS: Flow = { atOnce: 128, perSecond: 1 };

/** Reads of all tabs' lists: parsed, those of an account take up to 16 MiB, and wait for turns and the screener. */
const AT_ONCE = { perKey: 1, inAll: 64 };
/** Of these, those that do not wait for the screener. */
const AT_WORK = 4;
const NOTHING = () => undefined;

/**
 * The tools that pages offer, without those whose texts the screening refuses. A tool is screened once per account,
 * again where that failed or hit the rate limit; until then none of its list is offered.
 */
@Injectable()
export class OfferedToolsService {
  private readonly verdicts = new LRUCache<string, Promise<boolean>>(roomAsNeeded(MAX_VERDICTS));
  private readonly questions = new TokenBuckets(QUESTIONS);
  private readonly reading = new Semaphore(AT_ONCE);
  private readonly working: Semaphore;

  constructor(
    private readonly tabs: TabsService,
    private readonly screening: ScreeningService,
    private readonly turns: AccountTurns,
  ) {
    const usedBy = (account: string) => turns.usedBy(account);
    this.working = new Semaphore({ inAll: AT_WORK, usedBy });
  }

  /**
   * What `use` makes, within a turn of the account, of the tools of all open tabs, the oldest connection first,
   * including tabs whose pages offer none. `prepare` remembers what takes long of each, in turns before it.
   */
  async read<T>(
    caller: McpCaller,
    use: (lists: readonly TabTools[]) => T,
    prepare?: (tool: PageTool) => void,
  ): Promise<T> {
    const { id } = caller.user;
    await whileWaiting(() => this.reading.acquire(id));
    let leave = await this.work(id);
    try {
      const screening = Promise.all(await this.begin(await this.tabs.tools(id), caller));
      if (!(await Promise.race([screening.then(() => true), setImmediate(false)]))) {
        leave();
        leave = NOTHING;
        await whileWaiting(() => screening);
        leave = await this.work(id);
      }
      const lists = await screening;
      const tools = prepare ? lists.flatMap((list) => list.tools) : [];
      await this.turns.map(id, tools, (tool) => prepare?.(tool));
      await this.turns.take(id);
      return use(lists);
    } finally {
      leave();
      this.reading.release(id);
    }
  }

  async find(tabId: string, caller: McpCaller): Promise<TabTools | undefined> {
    const found = await this.tabs.find(caller.user.id, tabId);
    const [one] = await Promise.all(await this.begin(found ? [found] : [], caller));
    await this.turns.take(caller.user.id);
    return one;
  }

  private async work(account: string): Promise<() => void> {
    await whileWaiting(() => this.working.acquire(account));
    return () => this.working.release(account);
  }

  private async begin(lists: readonly TabTools[], caller: McpCaller) {
    return this.turns.map(caller.user.id, lists, async (list) => ({
      ...list,
      tools: await this.allowed(list.tools, caller),
    }));
  }

  private async allowed(tools: readonly PageTool[], caller: McpCaller) {
    this.screen(tools, caller);
    try {
      const verdicts = await Promise.all(
        tools.map((tool) => this.verdicts.get(keyOf(tool, caller))),
      );
      return tools.filter((_, at) => verdicts[at]);
    } catch {
      return [];
    }
  }

  /** Screens new tools in one request, because nearly all pass; when it is refused, screens them one by one. */
  private screen(tools: readonly PageTool[], caller: McpCaller) {
    const fresh = tools.filter((tool) => !this.verdicts.has(keyOf(tool, caller)));
    if (fresh.length === 0) return;
    const together = this.ask(fresh, caller);
    for (const tool of fresh) {
      const key = keyOf(tool, caller);
      const alone = () => (fresh.length === 1 ? false : this.ask([tool], caller));
      const verdict = together.then((passes) => passes || alone());
      this.verdicts.set(key, verdict);
      verdict.catch(() => this.verdicts.delete(key));
    }
  }

  private async ask(tools: readonly PageTool[], { user, app }: McpCaller): Promise<boolean> {
    if (!this.questions.of(user.id).take(1)) throw new Error('too much was to be screened');
    return this.screening.allows({ userId: user.id, app, value: tools });
  }
}

const digests = new WeakMap<PageTool, string>();

function keyOf(tool: PageTool, { user }: McpCaller): string {
  const known = digests.get(tool);
  const digest = known ?? hash('sha256', JSON.stringify(tool), 'base64url');
  if (known === undefined) digests.set(tool, digest);
  return `${user.id}:${digest}`;
}
