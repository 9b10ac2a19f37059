import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { generateId } from '#libs/accounts';
import type { HeldBytes, Throttle } from '#libs/platform';
import type { AccountHub } from '../hub/account-hub.js';
import { type LatestKind, type LocalTab, TabRequests } from '../hub/local-tab.js';
import type { FrameError } from '../protocol/frame-fields.js';
import {
  BACKLOG,
  type CloseFrame,
  hubFrame,
  pongFrame,
  SLOW_READER,
} from '../protocol/frames-to-tab.js';
import { digestOf, type PageTool } from '../protocol/page-tool.js';
import type { Tab } from '../protocol/tab.js';

/** The lists of tools that the page in a tab offers: the last one is always published, those before it may not be. */
export interface TabOffer {
  /** Of the last list, so that the same list is not published again. */
  digest: string;
  wanted: readonly PageTool[];
  readonly changes: Throttle;
}

const MAX_BUFFERED_BYTES = 1024 * 1024;
/** What a frame that waits to be read takes beside its bytes. */
const FRAME_BYTES = 256;
const PIECE_BYTES = 64 * 1024;
/** What came in and waits is not counted up to here: most frames cost no count. */
const UNCOUNTED_BYTES = 4 * 1024;
const MAX_READ_BYTES = 64 * 1024;

export interface FrameCounts {
  received: number;
  sent: number;
  /** Of those received, pings and pongs too: beyond what a tab may send. */
  dropped: number;
}

export class TabSocket extends WebSocket implements LocalTab {
  readonly id = generateId();
  readonly requests = new TabRequests();
  readonly connectedAt = new Date().toISOString();
  userId = '';
  session = '';
  title = '';
  address = '';
  toolNames: readonly string[] = NO_NAMES;
  changes: Throttle | undefined;
  /** There once the page has offered tools. */
  offer: TabOffer | undefined;
  /** When others last got to know that its page says something; `performance.now()`. */
  heardAt = -Infinity;
  heldBack: AbortController | undefined;
  /** Settles when the tab was welcomed or turned away; frames wait for it. */
  opened = Promise.resolve();
  hub: AccountHub | undefined;
  isListed = false;
  isAlive = true;
  /** For a frame of that many bytes that is not taken. */
  drop: (bytes?: number) => void = ignore;
  /** Called once, as soon as it begins to close, on either side. */
  onLeaving = ignore;
  pendingSends = 0;
  unread: HeldBytes | undefined;
  incoming: HeldBytes | undefined;
  private unreadBytes = 0;
  private incomingBytes = 0;
  /** Read from the network with what there is of a message that is not whole. */
  unfinished = 0;
  /** Of frames that wait to be handled, or are. */
  private queued = 0;
  private waiting = 0;
  private isWelcome = false;
  private isCutOff = false;
  private isGone = false;
  private latest: Map<LatestKind, Buffer> | undefined;
  private wire: Socket | undefined;
  private counts: FrameCounts | undefined;

  get tab(): Tab {
    const { id, title, address: url, connectedAt, toolNames } = this;
    return { id, title, url, connectedAt, toolNames };
  }

  get isOpen() {
    return this.readyState === WebSocket.OPEN;
  }

  /** Frames are written to `wire`, which it has been upgraded from, and counted in `counts`. */
  attach(wire: Socket, counts: FrameCounts) {
    this.wire = wire;
    this.counts = counts;
    // While it is paused, Node would go on up to 64 KiB: byte by byte, each with 200 bytes of its own.
    Object.assign(Reflect.get(wire, '_readableState') as object, { highWaterMark: 1 });
    this.on('close', leaveOnClose);
    // After the listener of `ws`, which has taken the data by then.
    wire.on('data', ({ length }: Buffer) => {
      this.unfinished = isAmidMessage(this) ? this.unfinished + length : 0;
      this.countIncoming();
    });
  }

  get offerDigest() {
    return this.offer?.digest ?? NO_OFFER;
  }

  async publishOffer() {
    await this.offer?.changes.flush();
  }

  welcome(tabs: readonly Tab[]): number {
    this.isWelcome = true;
    const frame = hubFrame('welcome', { tabId: this.id, tabs });
    this.hub?.outflow.owe(1, frame.length);
    this.write(frame);
    return frame.length;
  }

  write(frame: Buffer): boolean {
    const { wire, counts } = this;
    if (!wire || !counts || !this.isWelcome || !this.isOpen) return false;
    this.pass(frame, wire);
    counts.sent += 1;
    return this.keepsUp();
  }

  /** That of `ws` would keep all that was read from the network with the ping, uncounted. */
  override pong(data: Buffer) {
    if (this.wire && this.isOpen) this.pass(pongFrame(data), this.wire);
    this.keepsUp();
  }

  /** The frames of one turn leave in one piece, or in large ones. */
  private pass(frame: Buffer, wire: Socket) {
    if (wire.writableCorked === 0) {
      wire.cork();
      process.nextTick(flush, this, wire);
    }
    this.waiting += 1;
    wire.write(frame, this.onWritten);
    if (wire.writableLength >= PIECE_BYTES) flush(this, wire);
  }

  writeLatest(kind: LatestKind, frame: Buffer) {
    const { wire } = this;
    if (!wire?.writableNeedDrain) return void this.write(frame);
    if (this.latest === undefined) wire.once('drain', () => this.writeHeld());
    this.latest = (this.latest ?? new Map()).set(kind, frame);
  }

  refuse({ code, message, id, tool }: FrameError) {
    this.answer(hubFrame('error', { code, message, id, tool }));
  }

  /** Sends a frame that answers one of the tab, as work for its account. */
  answer(frame: Buffer) {
    this.hub?.outflow.countWork(frame.length);
    this.write(frame);
  }

  countUnread() {
    const bytes = this.bufferedAmount + this.waiting * FRAME_BYTES;
    if (bytes === this.unreadBytes || this.isGone) return;
    this.unreadBytes = bytes;
    this.unread?.set(this.userId, this, bytes);
  }

  /** That many bytes more of frames wait to be handled; fewer, where it is negative. */
  queue(bytes: number) {
    this.queued += bytes;
    this.countIncoming();
  }

  /** A tab that is read no further has up to 64 KiB in the buffer of its connection; nothing looks once it is cut off. */
  countIncoming() {
    const buffered = this.isCutOff ? MAX_READ_BYTES : (this.wire?.readableLength ?? 0);
    const bytes = this.unfinished + this.queued + buffered;
    const counted = bytes > UNCOUNTED_BYTES ? bytes : 0;
    if (counted === this.incomingBytes || this.isGone) return;
    this.incomingBytes = counted;
    this.incoming?.set(this.userId, this, counted);
  }

  /** A close behind what it does not read would not be read either, and would keep that. */
  cut(sum: HeldBytes) {
    this.isGone = true;
    this.end(sum === this.incoming ? BACKLOG : SLOW_READER);
    this.terminate();
  }

  private readonly onWritten = () => {
    this.waiting -= 1;
    if (this.unreadBytes > 0) this.countUnread();
  };

  keepsUp(): boolean {
    if (this.bufferedAmount <= MAX_BUFFERED_BYTES) return true;
    this.end(SLOW_READER);
    return false;
  }

  forget() {
    this.isGone = true;
    this.unread?.set(this.userId, this, 0);
    this.incoming?.set(this.userId, this, 0);
    this.leave();
  }

  private writeHeld() {
    const { latest } = this;
    this.latest = undefined;
    for (const frame of latest?.values() ?? []) this.write(frame);
  }

  end({ code, reason }: CloseFrame) {
    this.close(code, reason);
  }

  /** Ends it without reading the answer: until `closeTimeout`, dropped frames cost as much to read as others. */
  cutOff(close: CloseFrame) {
    this.end(close);
    this.isCutOff = true;
    this.pause();
    this.countIncoming();
  }

  override resume() {
    if (!this.isCutOff) super.resume();
  }

  /** The other side's close can only be read when nothing holds the inflow back. */
  override close(code?: number, reason?: string | Buffer) {
    this.resume();
    super.close(code, reason);
    this.leave();
  }

  private leave() {
    const { onLeaving } = this;
    this.onLeaving = ignore;
    onLeaving();
  }
}

const NO_OFFER = digestOf([]);
const NO_NAMES: readonly string[] = [];
const ignore = (): void => undefined;

/** What `ws` does not tell in public: the state of its parser between two reads (`lib/receiver.js`). */
interface Receiver {
  readonly _state: number;
  readonly _bufferedBytes: number;
  readonly _fragmented: number;
}

/** Whether more has to come: of what is there `ws` keeps all that was read from the network along with it. */
function isAmidMessage(tab: WebSocket): boolean {
  const { _receiver } = tab as unknown as { _receiver: Receiver };
  return _receiver._state !== 0 || _receiver._bufferedBytes !== 0 || _receiver._fragmented !== 0;
}

function flush(tab: TabSocket, wire: Socket) {
  wire.uncork();
  if (wire.writableLength > 0) tab.countUnread();
}

function leaveOnClose(this: WebSocket) {
  if (this instanceof TabSocket) this.forget();
}
