import { Readable } from 'node:stream';
import {
  Injectable,
  NotFoundException,
  ServiceUnavailableException,
  StreamableFile,
} from '@nestjs/common';
import { OwnAccountService, type OwnView, RefusalError } from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import { ApprovalStore, ConnectionReaderService, toCall, toRequest } from '#libs/oauth';
import { CredentialStore, toPasskey } from '#libs/passkeys';
import { HeldBytes, isJsonObject, Semaphore, whileWaiting } from '#libs/platform';
import { AccountExport } from './account-export.js';

/** What a file keeps until its reader has taken it: all but the calls, as text, which takes less than objects. */
interface Parts {
  readonly before: string;
  readonly connections: readonly { readonly id: string; readonly text: string }[];
  after: string;
}

const FILE = {
  type: 'application/json; charset=utf-8',
  disposition: 'attachment; filename="account-export.json"',
};

/** Everything kept about an account, as one JSON document: each part as its route shows it. */
@Injectable()
export class AccountExportService {
  /** Exports of an account at once take as much of the database as one, and those of all as two. */
  private readonly reading = new Semaphore({ perKey: 1, inAll: 2 });
  /** Of exports to people, who decide how long they read; administrators are trusted with that. */
  readonly kept = new HeldBytes();

  constructor(
    private readonly account: OwnAccountService,
    private readonly passkeys: CredentialStore,
    private readonly connections: ConnectionReaderService,
    private readonly requests: ApprovalStore,
    private readonly budgets: BudgetService,
    private readonly added: AccountExport,
  ) {}

  /**
   * Reads all but the calls of connections, which may be hundreds of thousands: a page of them is read when its reader
   * has taken the one before. A failure while they are read ends the file before its end, and so does too much that open
   * files of people (`view`) keep. Destroy the stream of one that is not sent.
   * @throws RefusalError 404 without such an account, 503; ServiceUnavailableException when a team's part fails
   */
  async open(userId: string, view?: OwnView): Promise<StreamableFile> {
    const parts = await this.inTurn(userId, () => this.read(userId, view));
    const stream = Readable.from(this.write(userId, parts));
    // It listens for errors of the stream from now on.
    const file = new StreamableFile(stream, FILE);
    const { errorLogger } = file;
    // Being cut is no failure, and may happen as often as people like.
    file.setErrorLogger((error) => error instanceof RefusalError || errorLogger(error));
    const held = { cut: () => void stream.destroy(tooMuch()) };
    stream.once('close', () => this.kept.set(userId, held, 0));
    const count = () => {
      if (view && !stream.destroyed) this.kept.set(userId, held, bytesOf(parts));
    };
    count();
    try {
      parts.after += `,\n"extensions":${await this.extensionsOf(userId)}`;
      count();
      if (stream.errored) throw stream.errored;
      return file;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  private async read(userId: string, view?: OwnView): Promise<Parts> {
    const { profile, sessions, ...own } = await this.account.describe(userId, view);
    const [passkeys, connections, requests, budget] = await Promise.all([
      this.passkeys.list(userId),
      this.connections.list(userId),
      this.requests.listOpen(userId),
      this.budgets.readWithOwnLimit(userId),
    ]);
    const listed = passkeys.map((row) => toPasskey(row, view?.session));
    return {
      before: membersOf({ profile, passkeys: listed, sessions }),
      connections: connections.map((one) => ({ id: one.id, text: JSON.stringify(one) })),
      after: membersOf({ requests: requests.map(toRequest), ...own, budget }),
    };
  }

  private async *write(userId: string, parts: Parts) {
    yield `{${parts.before},\n"connections":[`;
    for (const [at, { id, text }] of parts.connections.entries()) {
      yield `${at === 0 ? '' : ','}\n${text.slice(0, -1)},"calls":[`;
      yield* this.writeCalls(userId, id);
      yield ']}';
    }
    yield `],${parts.after}}\n`;
  }

  private async *writeCalls(userId: string, connectionId: string) {
    let before: string | undefined;
    do {
      const { calls, next } = await this.readPage(userId, connectionId, before);
      const lines = calls.map((call) => `\n${JSON.stringify(toCall(call))}`).join();
      if (lines !== '') yield `${before === undefined ? '' : ','}${lines}`;
      before = next ?? undefined;
    } while (before !== undefined);
  }

  private async readPage(userId: string, connectionId: string, before: string | undefined) {
    try {
      return await this.inTurn(userId, () => this.connections.calls.page(connectionId, { before }));
    } catch (error) {
      // The row that the page begins before was too old meanwhile, and so were those after it.
      if (error instanceof NotFoundException) return { calls: [], next: null };
      throw error;
    }
  }

  private async inTurn<T>(userId: string, read: () => Promise<T>): Promise<T> {
    await whileWaiting(() => this.reading.acquire(userId));
    try {
      return await read();
    } finally {
      this.reading.release(userId);
    }
  }

  private async extensionsOf(userId: string): Promise<string> {
    try {
      const added: unknown = await this.added.dataOf(userId);
      if (!isJsonObject(added)) throw new TypeError('dataOf() resolves with no object');
      return JSON.stringify(added);
    } catch (cause) {
      const { name } = this.added.constructor;
      throw new ServiceUnavailableException(`${name} failed: ${String(cause)}`, { cause });
    }
  }
}

const membersOf = (parts: object) =>
  Object.entries(parts)
    .map(([name, part]) => `\n${JSON.stringify(name)}:${JSON.stringify(part)}`)
    .join();

/** Two for each character. */
const bytesOf = ({ before, connections, after }: Parts): number =>
  connections.reduce(
    (sum, { id, text }) => sum + 2 * (id.length + text.length),
    2 * (before.length + after.length),
  );

const tooMuch = () =>
  new RefusalError(503, 'exports that are open keep too much; read one to its end first', {
    'Retry-After': '1',
  });
