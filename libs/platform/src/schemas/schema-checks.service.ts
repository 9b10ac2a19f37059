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
  END,
  type SchemaAnswer,
  type SchemaMessage,
  type SchemaTask,
  TAKES_TOO_LONG,
} from './schema-check.js';

const LIMIT_MS = 100;
/** Wall-clock limit, for a thread that other work keeps from the processor. */
const LIMIT_ON_BUSY_MACHINE_MS = 50 * LIMIT_MS;
const MINUTE_MS = 60_000;
const MAX_OFFER_MS = 30_000;
/** Checks of an account that are ended within a minute, before it gets no other. */
const MAX_ENDINGS = 3;
const MAX_WAITING_PER_ACCOUNT = 64;
const MAX_ENTRIES = 2_000;
const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_VALUE_BYTES = 512 * 1024;
const LIMITS = { members: 10_000, elements: 100_000, levels: 100 };
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
const TOO_LARGE = 'they are too large or too deep to be checked';
const TOO_MUCH_MEMORY = 'checking them takes too much memory; send less';
const TOOK_TOO_LONG = 'checking them takes too long, as it just did; wait a minute';
const BUSY = 'they cannot be checked now, as too many others are; try again';
const STOPPING = 'they cannot be checked, as the service is stopping';
const FAILED = 'they could not be checked; try again';

interface CheckRequest {
  readonly account: string;
  readonly digests: readonly string[];
  /** How long it may wait, and then take where other work keeps the thread from the processor. */
  readonly maxMs: number;
  readonly task: () => SchemaTask | undefined;
}

interface Check extends CheckRequest {
  readonly settle: (answer: SchemaAnswer) => void;
  at: number;
  hasBegun?: true;
  ending?: string;
}

/**
 * Checks by schemas of strangers, in a thread of their own: one at a time, each with 100 ms of processor time, after
 * which it is ended with its thread; for a minute its account gets no other check by that schema, and none at all
 * after three. The next check is for the account that used the fewest units of 100 ms in the last minute, then for the
 * one that waited longest.
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
  /** By account and digest. */
  private readonly slowSchemas = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: MINUTE_MS });
  private readonly endings = new LRUCache<string, number>({
    max: MAX_ENTRIES,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });
  /** Digests of faultless schemas: most pages of a site offer the same tools. */
  private readonly faultless = new LRUCache<string, true>({ max: MAX_ENTRIES });
  /** The call of a tool is answered within a second of its request, also while another account has the thread. */
  protected readonly maxCallMs: number = 1_000;
  private thread: Worker | undefined;
  /** Takes over when the thread ends: its start, of up to 355 ms on a busy machine, is no part of a call's second. */
  private spare: Worker | undefined;
  private running: Check | undefined;
  private isClosed = false;

  /** The first fault among objects that are to be schemas of arguments, as a clause, and the index of its object. */
  async faultAmong(account: string, schemas: readonly JsonObject[]): Promise<SchemaAnswer> {
    const text = textOf(schemas, MAX_SCHEMA_BYTES);
    if (text === undefined) return { fault: TOO_LARGE };
    const digests = schemas.map(digestOf);
    if (digests.every((digest) => this.faultless.has(digest))) return {};
    const task = () => ({ schemas: text });
    const answer = await this.ask({ account, digests, maxMs: MAX_OFFER_MS, task });
    if (answer.fault === undefined) digests.forEach((digest) => this.faultless.set(digest, true));
    return answer;
  }

  /** Why a JSON value does not fit a schema, as a clause that names the member; undefined when it fits. */
  async mismatch(account: string, schema: JsonObject, value: unknown): Promise<string | undefined> {
    const task = () => {
      const schemaText = textOf(schema, MAX_SCHEMA_BYTES);
      const valueText = textOf(value, MAX_VALUE_BYTES);
      if (schemaText === undefined || valueText === undefined) return undefined;
      return { schema: schemaText, value: valueText };
    };
    const digests = [digestOf(schema)];
    return (await this.ask({ account, digests, maxMs: this.maxCallMs, task })).fault;
  }

  async onModuleDestroy() {
    this.isClosed = true;
    for (const check of [...this.waiting.values()].flat()) check.settle({ fault: STOPPING });
    this.waiting.clear();
    this.running?.settle({ fault: STOPPING });
    await Promise.all([this.thread && this.end(this.thread), this.spare && this.end(this.spare)]);
  }

  /**
   * Node 24 aborts the process when a thread is terminated while it loads modules: without a check it is asked to end.
   */
  private async end(thread: Worker) {
    const { promise, resolve } = Promise.withResolvers<void>();
    thread.once('exit', () => resolve());
    thread.ref();
    if (thread === this.thread && this.running?.hasBegun) await thread.terminate();
    else thread.postMessage(END, []);
    await promise;
  }

  private async ask(request: CheckRequest): Promise<SchemaAnswer> {
    if (this.isClosed) return { fault: STOPPING };
    const { account, maxMs } = request;
    const others = this.waiting.get(account) ?? [];
    if (others.length >= MAX_WAITING_PER_ACCOUNT) return { fault: BUSY };
    const { promise, resolve: settle } = Promise.withResolvers<SchemaAnswer>();
    const check: Check = { ...request, settle, at: 0 };
    this.waiting.set(account, [...others, check]);
    this.beginNext();
    const answered = new AbortController();
    const timeUp = { ref: false, signal: answered.signal };
    try {
      return await whileWaiting(() =>
        Promise.race([promise, setTimeout(maxMs, { fault: BUSY }, timeUp)]),
      );
    } finally {
      answered.abort();
      this.leaveQueue(check);
    }
  }

  private leaveQueue(check: Check) {
    const others = this.waiting.get(check.account)?.filter((other) => other !== check) ?? [];
    if (others.length > 0) this.waiting.set(check.account, others);
    else this.waiting.delete(check.account);
  }

  private beginNext() {
    while (!this.running) {
      const check = this.takeNext();
      if (!check) return;
      const refusal = this.refusalOf(check);
      const task = refusal ? undefined : check.task();
      if (!task) {
        check.settle(refusal ?? { fault: TOO_LARGE });
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
    const check = next && this.waiting.get(next.account)?.[0];
    // Those that are left are the last to have waited.
    const others = check && this.waiting.get(check.account)?.slice(1);
    if (check) this.waiting.delete(check.account);
    if (others && others.length > 0) this.waiting.set(check.account, others);
    return check;
  }

  private refusalOf({ account, digests }: Check): SchemaAnswer | undefined {
    if ((this.endings.get(account) ?? 0) >= MAX_ENDINGS) return { fault: TOOK_TOO_LONG };
    const at = digests.findIndex((digest) => this.slowSchemas.has(`${account}:${digest}`));
    return at === -1 ? undefined : { fault: TOOK_TOO_LONG, at };
  }

  private start(): Worker {
    const thread = new Worker(WORKER_FILE, { env: {}, resourceLimits: RESOURCE_LIMITS });
    let failure: unknown;
    thread.on('message', (message: SchemaMessage) => {
      if ('at' in message) this.noteProgress(message.at);
      else if ('began' in message) this.noteBegin(thread, message.began);
      else if (this.running?.ending === undefined) this.finish(message.answer, message.usedMs);
    });
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => {
      if (thread === this.spare) this.spare = undefined;
      if (thread !== this.thread) return;
      this.thread = this.isClosed ? undefined : this.spare;
      this.spare = undefined;
      const usedMs = this.running?.hasBegun ? LIMIT_MS : 0;
      this.finish(this.endingOf(failure), usedMs);
    });
    thread.unref();
    return thread;
  }

  private noteBegin(thread: Worker, began: NodeJS.CpuUsage) {
    if (!this.isClosed) this.spare ??= this.start();
    void this.watch(thread, began);
  }

  private async watch(thread: Worker, began: NodeJS.CpuUsage) {
    const check = this.running;
    if (!check) return;
    const beganAt = performance.now();
    const wallMs = Math.min(check.maxMs, LIMIT_ON_BUSY_MACHINE_MS);
    check.hasBegun = true;
    let leftMs = LIMIT_MS;
    while (leftMs > 0 && performance.now() - beganAt < wallMs) {
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

  private noteProgress(at: number) {
    if (this.running) this.running.at = at;
  }

  private endingOf(failure: unknown): SchemaAnswer {
    const check = this.running;
    if (this.isClosed || !check) return { fault: STOPPING };
    const { account, digests, at, hasBegun, ending } = check;
    if (hasBegun) {
      this.slowSchemas.set(`${account}:${digests[at]}`, true);
      this.endings.set(account, (this.endings.get(account) ?? 0) + 1);
    }
    if (ending !== undefined) return { fault: ending, at };
    this.logger.warn(`the thread for schemas ended: ${String(failure)}`);
    const { code } = Object(failure) as NodeJS.ErrnoException;
    return { fault: code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH_MEMORY : FAILED, at };
  }

  private finish(answer: SchemaAnswer, usedMs: number) {
    const check = this.running;
    this.running = undefined;
    if (!this.isClosed) this.thread?.unref();
    if (check) {
      const { account } = check;
      this.usedMs.set(account, (this.usedMs.get(account) ?? 0) + usedMs);
      check.settle(answer);
    }
    if (!this.isClosed) this.beginNext();
  }
}

const WORKER_FILE = fileURLToPath(
  new URL(`./schema.worker${extname(import.meta.url)}`, import.meta.url),
);

const digestOf = (schema: JsonObject) => hash('sha256', JSON.stringify(schema), 'base64');

/** JSON text; undefined beyond any of the limits. */
function textOf(value: unknown, maxBytes: number): string | undefined {
  if (isNestedDeeper(value, LIMITS.levels)) return undefined;
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes || countJson(bytes, LIMITS).passed !== undefined) return undefined;
  return text;
}

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
