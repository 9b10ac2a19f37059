import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { RawData } from 'ws';
import { AccountTurns, type Flow, Semaphore, TokenBucket, TokenBuckets } from '#libs/platform';
import { FrameError } from '../protocol/frame-fields.js';
import { TOO_MANY_MESSAGES } from '../protocol/frames-to-tab.js';
import { parseTabFrame } from '../protocol/frames-from-tab.js';
import { TabConnectionsService } from './tab-connections.service.js';
import type { FrameCounts, TabSocket } from './tab-socket.js';

const FLOW: Flow = { atOnce: 100, perSecond: 50 };
const WARNING_GAP_MS = 1000;
const MAX_DROPPED = 500;
const monotonicMs = () => performance.now();

/**
 * A bucket of 100 messages that 50 a second flow into. A tab that sends more is told so at most once a second, and is
 * closed after 500 dropped messages without a pause long enough to fill the bucket.
 */
export class MessageRate {
  private dropped = 0;
  private warnedAt = -Infinity;
  private readonly bucket: TokenBucket;

  constructor(private readonly now = monotonicMs) {
    this.bucket = new TokenBucket(FLOW, now);
  }

  take(): boolean {
    if (this.dropped > 0 && this.bucket.isFull) this.dropped = 0;
    return this.bucket.take(1);
  }

  refuse(messages = 1): 'warn' | 'drop' | 'close' {
    this.dropped += messages;
    if (this.dropped > MAX_DROPPED) return 'close';
    const now = this.now();
    if (now - this.warnedAt < WARNING_GAP_MS) return 'drop';
    this.warnedAt = now;
    return 'warn';
  }
}

const MAX_WAITING = 8;
const MAX_WAITING_BYTES = 32 * 1024;

/** Works on one frame after the other, in order; holds the inflow back while too many wait. */
export class SerialQueue<Frame> {
  private readonly waiting: Frame[] = [];
  private waitingBytes = 0;
  private isWorking = false;
  private isPaused = false;

  /** `work` must not reject. */
  constructor(
    private readonly inflow: Pick<TabSocket, 'pause' | 'resume' | 'queue'>,
    private readonly work: (frame: Frame) => Promise<void>,
    private readonly bytesOf: (frame: Frame) => number,
  ) {}

  push(frame: Frame) {
    const bytes = this.bytesOf(frame);
    this.waiting.push(frame);
    this.waitingBytes += bytes;
    this.inflow.queue(bytes);
    if (!this.isWorking) void this.drain();
    if (this.isPaused || !this.isFull) return;
    this.isPaused = true;
    this.inflow.pause();
  }

  private async drain() {
    this.isWorking = true;
    for (let frame = this.waiting.shift(); frame !== undefined; frame = this.waiting.shift()) {
      const bytes = this.bytesOf(frame);
      this.waitingBytes -= bytes;
      if (this.isPaused && !this.isFull) {
        this.isPaused = false;
        this.inflow.resume();
      }
      await this.work(frame);
      this.inflow.queue(-bytes);
    }
    this.isWorking = false;
  }

  private get isFull() {
    return this.waiting.length >= MAX_WAITING || this.waitingBytes >= MAX_WAITING_BYTES;
  }
}

type Handlers = Readonly<Record<string, (data: unknown) => unknown>>;

/** Bytes of all tabs of an account to this replica. */
const BYTES = 2 * 1024 * 1024;
/** Characters that take long to check, of all tabs of an account to this replica: 32 whole lists, and five a second. */
const LONG_CHECKS: Flow = { atOnce: 2 * 1024 * 1024, perSecond: 256 * 1024 };

/**
 * What pings and pongs of a tab carry. Of a frame that comes in pieces `ws` keeps each piece with all that was read from
 * the network along with it, and only pings and pongs can come between pieces.
 */
const CONTROL_BYTES: Flow = { atOnce: 1024, perSecond: 64 };

const SHORT_BYTES = 4 * 1024;
/** Longer frames that are worked on; others wait as they came: parsed, they take up to thirty times as much. */
const LONG = { perKey: 2, inAll: 16 };
/** A frame that is dropped counts once for each of these. */
const DROPPED_BYTES = 16 * 1024;

const TOO_FAST = new FrameError(
  'rate_limited',
  'slow down: in a second a tab may send 50 messages, and all tabs together 2 MiB; ' +
    'what they send may reach 1000 further tabs, and take 8 MiB on its way to them',
);
const BINARY = new FrameError('bad_message', 'a frame must be text');

/** Frames of tabs on their way to the gateway: limited in size and rate, one of a tab after the other. */
@Injectable()
export class TabInflowService {
  readonly counts: FrameCounts = { received: 0, sent: 0, dropped: 0 };
  private readonly traffic = new TokenBuckets({ atOnce: BYTES, perSecond: BYTES });
  private readonly longChecks = new TokenBuckets(LONG_CHECKS);
  private readonly long: Semaphore;

  constructor(
    private readonly connections: TabConnectionsService,
    private readonly turns: AccountTurns,
  ) {
    this.long = new Semaphore({ ...LONG, usedBy: (account) => turns.usedBy(account) });
  }

  /** From now on the tab's frames reach `handlers`, each by the name of its event. */
  bind(tab: TabSocket, handlers: readonly MessageMappingProperties[]) {
    const byEvent = Object.fromEntries(handlers.map((one) => [String(one.message), one.callback]));
    const rate = new MessageRate();
    let control: TokenBucket | undefined;
    const takeControl = (data: Buffer) => {
      tab.isAlive = true;
      if (data.length > 0) control ??= new TokenBucket(CONTROL_BYTES);
      if (control?.take(data.length) === false) tab.cutOff(TOO_MANY_MESSAGES);
      else if (rate.take()) return;
      tab.drop();
    };
    const queue = new SerialQueue<RawData>(tab, (raw) => this.take(tab, raw, byEvent), sizeOf);
    tab.drop = (bytes = 0) => this.drop(tab, rate, bytes);
    tab.on('message', (raw: RawData, isBinary: boolean) => {
      tab.isAlive = true;
      tab.unfinished = 0;
      this.counts.received += 1;
      const bytes = sizeOf(raw);
      const fits = rate.take() && this.traffic.of(tab.userId).take(bytes);
      if (!fits) return tab.drop(bytes);
      if (!tab.isOpen) return;
      if (isBinary) tab.refuse(BINARY);
      // A copy of its own: frame and pool would keep all that was read from the network, or copied, along with it.
      else queue.push(Buffer.isBuffer(raw) ? Buffer.from(new Uint8Array(raw).buffer) : raw);
    });
    tab.on('ping', (data) => {
      tab.pong(data);
      takeControl(data);
    });
    tab.on('pong', takeControl);
  }

  /**
   * 1. The tab was welcomed. Of frames that take long to read two of its account and 16 in all are under way; each has
   *    a turn of its account, and so has any frame as long as the account uses more than its 20 ms of a second.
   * 2. The frame is well-formed (`parseTabFrame`): otherwise `bad_message`.
   * 3. Its handler in `TabsGateway` acts on it.
   * 4. What took long to check holds back the next frames of its account.
   *
   * Resolves when the tab's next frame may be taken. Never rejects.
   */
  async take(tab: TabSocket, raw: RawData, handlers: Handlers): Promise<void> {
    await tab.opened;
    const isLong = sizeOf(raw) > SHORT_BYTES;
    if (isLong) await this.long.acquire(tab.userId);
    let checked = 0;
    try {
      checked = await this.act(tab, raw, handlers);
    } finally {
      if (isLong) this.long.release(tab.userId);
    }
    if (checked > 0) await this.delayHeavyAccount(tab, checked);
  }

  /** Returns how many characters took long to check. */
  private async act(tab: TabSocket, raw: RawData, handlers: Handlers): Promise<number> {
    if (!tab.isOpen) return 0;
    const bytes = sizeOf(raw);
    const isOverTime = tab.hub?.outflow.countWork(bytes) ?? false;
    if (isOverTime || bytes > SHORT_BYTES) await this.turns.take(tab.userId);
    if (!tab.isOpen) return 0;
    const text = raw.toString();
    let frame: ReturnType<typeof parseTabFrame> | undefined;
    try {
      frame = parseTabFrame(text);
    } catch (error) {
      this.connections.handleError(tab, error);
    }
    if (frame) {
      this.connections.recordActivity(tab);
      await handlers[frame.event]?.(frame.data);
    }
    return frame === undefined || frame.event === 'tools' ? text.length : 0;
  }

  /** Frames of other accounts come first where an account's take long to check. */
  private async delayHeavyAccount(tab: TabSocket, characters: number) {
    const ms = this.longChecks.of(tab.userId).owe(characters);
    if (ms <= 0 || !tab.isOpen) return;
    // A tab that leaves would keep the frames that wait, which no sum counts by then.
    const { signal } = (tab.heldBack = new AbortController());
    await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
    tab.heldBack = undefined;
  }

  private drop(tab: TabSocket, rate: MessageRate, bytes: number) {
    this.counts.dropped += 1;
    const frames = Math.max(1, Math.ceil(bytes / DROPPED_BYTES));
    this.connections.countDropped(tab.userId, frames);
    const action = rate.refuse(frames);
    if (action === 'warn') tab.refuse(TOO_FAST);
    if (action === 'close') tab.cutOff(TOO_MANY_MESSAGES);
  }
}

const sizeOf = (raw: RawData) =>
  Array.isArray(raw) ? raw.reduce((sum, { length }) => sum + length, 0) : raw.byteLength;
