import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { type OwnView, RefusalError } from '#libs/accounts';
import { eventually } from '#libs/platform/testing';
import { AccountExportService } from './account-export.service.js';

const MEBIBYTE = 1024 * 1024;
const VIEW = { origin: 'https://gate.example' } as OwnView;

describe('what open exports keep', () => {
  let exports: AccountExportService;
  let name: string;
  let dataOf: () => Promise<object>;

  beforeEach(() => {
    [name, dataOf] = ['Ann', async () => ({})];
    const list = async () => [{ id: 'one' }, { id: 'two' }];
    const page = async () => ({ calls: [], next: null });
    exports = new AccountExportService(
      { describe: async () => ({ profile: { name }, sessions: [] }) } as never,
      { list: async () => [] } as never,
      { list, calls: { page } } as never,
      { listOpen: async () => [] } as never,
      { readWithOwnLimit: async () => ({}) } as never,
      { dataOf: async () => dataOf() } as never,
    );
  });

  /** With a text of that many bytes. */
  async function open(mebibytes: number, account = 'ann'): Promise<Readable> {
    name = 'x'.repeat((mebibytes * MEBIBYTE) / 2);
    return (await exports.open(account, VIEW)).getStream();
  }

  it('counts until it is read', async () => {
    dataOf = async () => ({ more: 'x'.repeat(MEBIBYTE / 2) });
    const stream = await open(1);
    expect(exports.kept.bytes).toBeGreaterThan(2 * MEBIBYTE);
    expect(exports.kept.bytes).toBeLessThan(2.1 * MEBIBYTE);
    const { profile, connections } = JSON.parse(await text(stream)) as Record<string, unknown>;
    expect(profile).toEqual({ name });
    expect(connections).toEqual(['one', 'two'].map((id) => ({ id, calls: [] })));
    await eventually(() => expect(exports.kept.bytes).toBe(0));
  });

  it('counts until its reader is gone, whether it began to read or not', async () => {
    const [one, other] = [await open(1), await open(1)];
    one.read();
    one.destroy();
    other.destroy();
    await eventually(() => expect(exports.kept.bytes).toBe(0));
  });

  it('does not count when a part of a team fails', async () => {
    dataOf = async () => {
      expect(exports.kept.bytes).toBeGreaterThan(MEBIBYTE);
      throw new Error('their database is away');
    };
    await expect(open(1)).rejects.toThrow('their database is away');
    await eventually(() => expect(exports.kept.bytes).toBe(0));
  });

  it('is cut beyond 16 MiB of an account: the largest ends before its end', async () => {
    const [small, large] = [await open(4), await open(7)];
    await open(7, 'bob');
    const late = await open(6);
    await expect(text(large)).rejects.toMatchObject({ status: 503 });
    expect((await text(small)).endsWith('}\n')).toBe(true);
    expect((await text(late)).endsWith('}\n')).toBe(true);
  });

  it('is logged when it fails, and not when it is cut', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const file = await exports.open('ann', VIEW);
    file.errorLogger(new RefusalError(503, 'cut'));
    expect(logged).not.toHaveBeenCalled();
    file.errorLogger(new Error('their database is away'));
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    file.getStream().destroy();
  });

  it('is refused when it takes more alone, also with the part of a team', async () => {
    await expect(open(17)).rejects.toMatchObject({ status: 503 });
    dataOf = async () => ({ more: name });
    await expect(open(9)).rejects.toMatchObject({ status: 503 });
    await eventually(() => expect(exports.kept.bytes).toBe(0));
  });

  it('does not count for an administrator, whatever it takes', async () => {
    name = 'x'.repeat(17 * MEBIBYTE);
    const stream = (await exports.open('ann')).getStream();
    expect(exports.kept.bytes).toBe(0);
    stream.destroy();
  });
});
