import type { Tab } from '../protocol/tab.js';
import { TabList } from './account-hub.js';

const tab = (id: string): Tab => ({ id, title: '', url: '', connectedAt: '', toolNames: [] });

describe('TabList', () => {
  let stored: Tab[];
  let reads: number;
  let isDown: boolean;
  let told: string[];
  let list: TabList;

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, reads, isDown, told] = [[], 0, false, []];
    const read = async () => {
      reads += 1;
      if (isDown) throw new Error('down');
      return stored;
    };
    list = new TabList(read, (tabs) => told.push(tabs.map(({ id }) => id).join()));
  });
  afterEach(() => {
    list.stop();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('tells a change at once', async () => {
    stored = [tab('a')];
    list.refresh();
    await pass(0);
    expect(told).toEqual(['a']);
    expect([list.has('a'), list.has('b')]).toEqual([true, false]);
  });

  it('reads four times a second at most, and always after the last change', async () => {
    for (let n = 1; n <= 100; n += 1) {
      stored = [tab(String(n))];
      list.refresh();
      await pass(10);
    }
    await pass(1000);
    expect(reads).toBeLessThanOrEqual(6);
    expect(told.at(-1)).toBe('100');
    const before = reads;
    await pass(10_000);
    expect(reads).toBe(before);
  });

  it('tries again when the list cannot be read', async () => {
    isDown = true;
    list.refresh();
    await pass(10_000);
    expect(reads).toBeLessThanOrEqual(11);
    isDown = false;
    stored = [tab('a')];
    await pass(1000);
    expect(told).toEqual(['a']);
  });

  it('tells nothing after it was stopped', async () => {
    list.refresh();
    list.stop();
    list.refresh();
    await pass(1000);
    expect([reads, told]).toEqual([1, []]);
  });
});
