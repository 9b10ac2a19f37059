import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { hubFrame, SLOW_READER } from '../protocol/frames-to-tab.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import type { TabSocket } from './tab-socket.js';

const MAX_UNREAD_BYTES = 1024 * 1024;
const CLOSE_TIMEOUT_MS = 3_000;
/** More frames than a kernel keeps for a connection. */
const MANY = 2_000;

describe('TabSocket', () => {
  let hub: TabHubTestbed;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await hub.stop();
  });

  const large = hubFrame('pong', 'x'.repeat(60_000));

  /** What was unread after each frame that the tab took. The page reads nothing meanwhile. */
  function fill(tab: TabSocket) {
    const unread: number[] = [];
    while (unread.length < MANY && tab.write(large)) unread.push(tab.bufferedAmount);
    return unread;
  }

  it('writes the frames of one turn in order, whatever their size, and mixes with pings and the close', async () => {
    const { tab, frames, closed } = await hub.connect();
    const data = ['', 'ä', 'x'.repeat(200), 'y'.repeat(70_000), 'z'];
    frames.length = 0;
    for (const one of data) {
      expect(tab.write(hubFrame('pong', one))).toBe(true);
      tab.ping();
    }
    tab.close(4999, 'bye');
    expect(tab.write(hubFrame('pong', 'late'))).toBe(false);
    expect(await closed).toBe(4999);
    const pongs = frames.filter(({ event }) => event === 'pong');
    expect(pongs.map((frame): unknown => frame.data)).toEqual(data);
  });

  it('does not take much at once for a slow reader', async () => {
    const { tab, frames } = await hub.connect();
    const written = Array.from({ length: 32 }, () => tab.write(large));
    expect(written).not.toContain(false);
    const pongs = () => frames.filter(({ event }) => event === 'pong');
    await eventually(() => expect(pongs()).toHaveLength(32));
    expect(tab.isOpen).toBe(true);
  });

  it('keeps only the last of the lists that wait for a slow reader, after what came before', async () => {
    const { tab, page, frames } = await hub.connect();
    await eventually(() => expect(frames).not.toEqual([]));
    page.pause();
    const unread: number[] = [];
    while (tab.bufferedAmount === 0 && unread.length < MANY) unread.push(Number(tab.write(large)));
    for (let n = 1; n <= 100; n += 1)
      tab.writeLatest('tabs', hubFrame('pong', `${n}${'x'.repeat(60_000)}`));
    expect(tab.bufferedAmount).toBeLessThan(MAX_UNREAD_BYTES);
    expect(tab.isOpen).toBe(true);
    page.resume();
    await eventually(() => expect(String(frames.at(-1)?.data)).toMatch(/^100x/));
    expect(frames.length).toBeLessThan(unread.length + 10);
    tab.writeLatest('tabs', hubFrame('pong', 'next'));
    await eventually(() => expect(frames.at(-1)?.data).toBe('next'));
  });

  it('keeps the last of the requests beside the last of the lists', async () => {
    const { tab, frames } = await hub.connect();
    await eventually(() => expect(frames).not.toEqual([]));
    // More than the connection takes without waiting.
    for (let n = 0; n < 3; n += 1) tab.write(large);
    for (let n = 1; n <= 3; n += 1) {
      tab.writeLatest('requests', hubFrame('pong', `requests ${n}`));
      tab.writeLatest('tabs', hubFrame('pong', `tabs ${n}`));
    }
    const held = () => frames.map(({ data }) => String(data)).filter((data) => /\d$/.test(data));
    await eventually(() => expect(held()).toEqual(['requests 3', 'tabs 3']));
  });

  it('ends a tab that leaves more than 1 MiB unread', async () => {
    const { tab, closed } = await hub.connect();
    jest.useFakeTimers();
    const unread = fill(tab);
    expect(unread.length).toBeLessThan(MANY);
    expect(Math.max(...unread)).toBeLessThanOrEqual(MAX_UNREAD_BYTES);
    expect(tab.bufferedAmount).toBeGreaterThan(MAX_UNREAD_BYTES);
    expect([tab.isOpen, tab.write(large)]).toEqual([false, false]);
    expect(await closed).toBe(SLOW_READER.code);
  });

  it('cuts tabs of an account that leave more than 4 MiB unread together, those with the most first', async () => {
    const tabs: Awaited<ReturnType<TabHubTestbed['connect']>>[] = [];
    while (tabs.length < 8) tabs.push(await hub.connect());
    await eventually(() => {
      for (const { frames } of tabs) expect(frames).not.toEqual([]);
    });
    for (const { page } of tabs) page.pause();
    const unread = () => tabs.reduce((sum, { tab }) => sum + tab.bufferedAmount, 0);
    const isAnyCut = () => tabs.some(({ tab }) => !tab.isOpen);
    const most: number[] = [];
    for (let n = 0; n < MANY && !isAnyCut(); n += 1) {
      for (const { tab } of tabs) tab.write(large);
      most.push(unread());
      await setImmediate();
    }
    expect(Math.max(...most)).toBeLessThanOrEqual(4 * MAX_UNREAD_BYTES + 8 * large.length);
    const cut = tabs.filter(({ tab }) => !tab.isOpen);
    expect(cut.length).toBeLessThan(tabs.length);
    // Without reading anything.
    await eventually(() => {
      for (const { tab } of cut)
        expect([tab.readyState, tab.bufferedAmount]).toEqual([tab.CLOSED, 0]);
    });
    for (const { page } of tabs) page.resume();
    for (const { closed } of cut) expect([1006, 1013]).toContain(await closed);
    const left = tabs.filter(({ tab }) => tab.isOpen);
    await eventually(() => {
      for (const { tab } of left) expect(tab.bufferedAmount).toBe(0);
    });
    for (const { tab } of left) expect(tab.write(large)).toBe(true);
  });

  it('limits what the tabs of all accounts leave unread to 64 MiB', async () => {
    const { tab, page, frames } = await hub.connect();
    await eventually(() => expect(frames).not.toEqual([]));
    const cut: string[] = [];
    for (let n = 0; n < 16; n += 1) {
      const bytes = 4 * MAX_UNREAD_BYTES;
      tab.unread?.set(`account ${n}`, { cut: () => cut.push(`account ${n}`) }, bytes);
    }
    expect(cut).toEqual([]);
    page.pause();
    for (let n = 0; n < MANY && cut.length === 0; n += 1) {
      tab.write(large);
      await setImmediate();
    }
    expect([cut.length, tab.isOpen]).toEqual([1, true]);
    expect(tab.unread?.bytes).toBeLessThanOrEqual(64 * MAX_UNREAD_BYTES);
  });

  it('counts small frames for what they take, until they are read', async () => {
    const { tab, page, frames } = await hub.connect();
    await eventually(() => expect(frames).not.toEqual([]));
    const held = new HeldBytes({ perHolder: Infinity, inAll: Infinity });
    tab.unread = held;
    page.pause();
    while (tab.bufferedAmount === 0) {
      tab.write(large);
      await setImmediate();
    }
    const before = held.bytes;
    expect(before).toBeGreaterThanOrEqual(tab.bufferedAmount);
    for (let n = 0; n < 1_000; n += 1) tab.write(hubFrame('pong', n));
    await setImmediate();
    expect(held.bytes - before).toBeGreaterThan(1_000 * 256);
    page.resume();
    await eventually(() => expect(held.bytes).toBe(0));
    expect(tab.isOpen).toBe(true);
  });

  it('cuts a tab that does not read its end either, after 3 seconds', async () => {
    const { tab, page, frames } = await hub.connect();
    await eventually(() => expect(frames).not.toEqual([]));
    page.pause();
    jest.useFakeTimers();
    fill(tab);
    const cut = once(tab, 'close');
    jest.advanceTimersByTime(CLOSE_TIMEOUT_MS - 1);
    expect(tab.readyState).toBe(tab.CLOSING);
    jest.advanceTimersByTime(1);
    await cut;
    expect(tab.readyState).toBe(tab.CLOSED);
    page.terminate();
  });
});
