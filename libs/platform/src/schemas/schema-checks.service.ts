import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { countJson, isNestedDeeper, type JsonObject } from '../json.js';
import { whileWaiting } from '../request-context.js';
import {
  type SchemaAnswer,
  type SchemaMessage,
  type SchemaTask,
  TAKES_TOO_LONG,
} from './schema-check.js';

interface CheckedPage {
  readonly account: string;
  readonly id: string;
}

const LIMIT_MS = 100;
/** Wall-clock limit, for a thread that other work keeps from the processor. */
const LIMIT_ON_BUSY_MACHINE_MS = 10 * LIMIT_MS;
const MINUTE_MS = 60_000;
const MAX_WAIT_MS = 30_000;
const MAX_WAITING_PER_ACCOUNT = 64;
const MAX_ENTRIES = 2_000;

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_VALUE_BYTES = 512 * 1024;
const LIMITS = { members: 10_000, elements: 100_000, levels: 100 };

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

const TOO_LARGE = 'they are too large or too deep to be checked';
const TOO_MUCH_MEMORY = 'checking them takes too much memory; send less';
const TOOK_TOO_LONG =
  'checking them takes too long, as a check for this page just did; wait a minute';
const BUSY = 'they cannot be checked now, as too many others are; try again';
const STOPPING = 'they cannot be checked, as the service is stopping';
const FAILED = 'they could not be checked; try again';

interface Check {
  readonly page: CheckedPage;
  readonly task: () => SchemaTask | undefined;
  readonly askedAt: number;
  readonly settle: (answer: SchemaAnswer) => void;
  hasBegun?: true;
  /** The reason why its thread is being ended. */
  ending?: string;
}

/**
 * Checks by schemas of strangers, in a thread of their own: one check at a time, each with 100 ms of processor time.
 * A check that takes longer is ended with its thread, and its page gets no other check for a minute. The next check
 * is for the account that used the fewest units of 100 ms in the last minute, among equals for the one that has
 * waited longest. So an account whose checks are ended waits for the others.
 */
@Injectable()
export class SchemaChecks implements OnModuleDestroy {
  private readonly logger = new Logger(SchemaChecks.name);
  private readonly waiting = new Map<string, Check[]>();
  private readonly usedMs = new LRUCache<string, number>({
    max: MAX_ENTRIES,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });
  private readonly endedPages = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: MINUTE_MS });
  /** Digests of faultless lists of schemas: most pages of a site offer the same tools. */
  private readonly faultless = new LRUCache<string, true>({ max: MAX_ENTRIES });
  private thread: Worker | undefined;
  private running: Check | undefined;
  private isClosed = false;

  /** The first fault among objects that are to be schemas of arguments, as a clause, and the index of its object. */
  async faultAmong(page: CheckedPage, schemas: readonly JsonObject[]): Promise<SchemaAnswer> {
    const text = textOf(schemas, MAX_SCHEMA_BYTES);
    if (text === undefined) return { fault: TOO_LARGE };
    const digest = hash('sha256', text, 'base64');
    if (this.faultless.has(digest)) return {};
    const answer = await this.ask(page, () => ({ schemas: text }));
    if (answer.fault === undefined) this.faultless.set(digest, true);
    return answer;
  }

  /** Why a JSON value does not fit a schema, as a clause that names the member; undefined when it fits. */
  async mismatch(
    page: CheckedPage,
    schema: JsonObject,
    value: unknown,
  ): Promise<string | undefined> {
    const { fault } = await this.ask(page, () => {
      const schemaText = textOf(schema, MAX_SCHEMA_BYTES);
      const valueText = textOf(value, MAX_VALUE_BYTES);
      if (schemaText === undefined || valueText === undefined) return undefined;
      return { schema: schemaText, value: valueText };
    });
    return fault;
  }

  async onModuleDestroy() {
    this.isClosed = true;
    for (const check of [...this.waiting.values()].flat()) check.settle({ fault: STOPPING });
    this.waiting.clear();
    await this.thread?.terminate();
  }

  private async ask(page: CheckedPage, task: Check['task']): Promise<SchemaAnswer> {
    if (this.isClosed) return { fault: STOPPING };
    const others = this.waiting.get(page.account) ?? [];
    if (others.length >= MAX_WAITING_PER_ACCOUNT) return { fault: BUSY };
    const { promise, resolve: settle } = Promise.withResolvers<SchemaAnswer>();
    others.push({ page, task, askedAt: performance.now(), settle });
    this.waiting.set(page.account, others);
    this.beginNext();
    return whileWaiting(() => promise);
  }

  private beginNext() {
    while (!this.running) {
      const check = this.takeNext();
      if (!check) return;
      const task = this.taskOf(check);
      if (typeof task === 'string') {
        check.settle({ fault: task });
        continue;
      }
      this.running = check;
      this.thread ??= this.start();
      this.thread.ref();
      this.thread.postMessage(task, []);
    }
  }

  private takeNext(): Check | undefined {
    const limitsUsed = (account: string) => Math.floor((this.usedMs.get(account) ?? 0) / LIMIT_MS);
    let next: { readonly account: string; readonly used: number } | undefined;
    for (const account of this.waiting.keys()) {
      const used = limitsUsed(account);
      if (!next || used < next.used) next = { account, used };
    }
    if (!next) return undefined;
    const [check, ...others] = this.waiting.get(next.account) ?? [];
    this.waiting.delete(next.account);
    if (others.length > 0) this.waiting.set(next.account, others);
    return check;
  }

  /** A text is the reason why there is none. */
  private taskOf({ page, task, askedAt }: Check): SchemaTask | string {
    if (this.endedPages.has(keyOf(page))) return TOOK_TOO_LONG;
    if (performance.now() - askedAt > MAX_WAIT_MS) return BUSY;
    return task() ?? TOO_LARGE;
  }

  private start(): Worker {
    const thread = new Worker(WORKER_FILE, { env: {}, resourceLimits: RESOURCE_LIMITS });
    let failure: unknown;
    thread.on('message', (message: SchemaMessage) => {
      if ('began' in message) void this.watch(thread, message.began);
      else if (this.running?.ending === undefined) this.finish(message.answer, message.usedMs);
    });
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => {
      this.thread = undefined;
      const usedMs = this.running?.hasBegun ? LIMIT_MS : 0;
      this.finish({ fault: this.endingOf(failure) }, usedMs);
    });
    return thread;
  }

  /** Ends the thread when its check has used its time. */
  private async watch(thread: Worker, began: NodeJS.CpuUsage) {
    const check = this.running;
    if (!check) return;
    const beganAt = performance.now();
    check.hasBegun = true;
    let leftMs = LIMIT_MS;
    while (leftMs > 0 && performance.now() - beganAt < LIMIT_ON_BUSY_MACHINE_MS) {
      await setTimeout(leftMs, undefined, { ref: false });
      // Lets an answer that has arrived be read first.
      await setImmediate();
      if (this.running !== check) return;
      leftMs = LIMIT_MS - (await processorMs(thread, began));
    }
    if (this.running !== check) return;
    check.ending = TAKES_TOO_LONG;
    await thread.terminate();
  }

  /** The fault of the running check, whose thread ended without an answer. */
  private endingOf(failure: unknown): string {
    const check = this.running;
    if (this.isClosed || !check) return STOPPING;
    if (check.hasBegun) this.endedPages.set(keyOf(check.page), true);
    if (check.ending !== undefined) return check.ending;
    this.logger.warn(`the thread for schemas ended: ${String(failure)}`);
    const { code } = Object(failure) as NodeJS.ErrnoException;
    return code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH_MEMORY : FAILED;
  }

  private finish(answer: SchemaAnswer, usedMs: number) {
    const check = this.running;
    this.running = undefined;
    this.thread?.unref();
    if (check) {
      const { account } = check.page;
      this.usedMs.set(account, (this.usedMs.get(account) ?? 0) + usedMs);
      check.settle(answer);
    }
    if (!this.isClosed) this.beginNext();
  }
}

/** Beside this file: a source, or built, as this one. */
const WORKER_FILE = fileURLToPath(
  new URL(`./schema.worker${extname(import.meta.url)}`, import.meta.url),
);

const keyOf = ({ account, id }: CheckedPage) => `${account}:${id}`;

/** JSON text; undefined beyond any of the limits. */
function textOf(value: unknown, maxBytes: number): string | undefined {
  if (isNestedDeeper(value, LIMITS.levels)) return undefined;
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes || countJson(bytes, LIMITS).passed !== undefined) return undefined;
  return text;
}

/** Processor time of the thread since then; infinite when the thread has ended. */
async function processorMs(thread: Worker, began: NodeJS.CpuUsage): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage(began);
    return (user + system) / 1000;
  } catch {
    return Infinity;
  }
}

/** The one thread for schemas of strangers: modules that import this share it. */
@Module({ providers: [SchemaChecks], exports: [SchemaChecks] })
export class SchemaChecksModule {}
