import { FrameQueue } from './tab-inflow.service.js';

describe('FrameQueue', () => {
  let flow: string[];
  let done: number[];
  let finish: (() => void)[];
  let queue: FrameQueue<number>;

  beforeEach(() => {
    [flow, done, finish] = [[], [], []];
    const inflow = { pause: () => flow.push('pause'), resume: () => flow.push('resume') };
    queue = new FrameQueue(inflow, async (frame) => {
      await new Promise<void>((resolve) => finish.push(resolve));
      done.push(frame);
    });
  });

  async function work(count: number) {
    for (let n = 0; n < count; n += 1) {
      finish.shift()?.();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  it('works on one frame after the other, in order', async () => {
    for (const frame of [1, 2, 3]) queue.push(frame);
    expect(finish).toHaveLength(1);
    await work(2);
    queue.push(4);
    await work(2);
    expect(done).toEqual([1, 2, 3, 4]);
    expect(flow).toEqual([]);
  });

  it('holds the inflow back while eight frames wait, and loses none', async () => {
    for (let frame = 0; frame < 20; frame += 1) queue.push(frame);
    expect(flow).toEqual(['pause']);
    await work(11);
    expect(flow).toEqual(['pause']);
    await work(1);
    expect(flow).toEqual(['pause', 'resume']);
    await work(8);
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
    queue.push(20);
    await work(1);
    expect(done.at(-1)).toBe(20);
  });
});
