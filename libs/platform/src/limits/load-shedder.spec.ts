import { eventually } from '../testing.js';
import { type RequestWork, underWork, whileWaiting } from '../request-context.js';
import { LoadShedder, LoopLag } from './load-shedder.js';

const PERIOD_MS = 50;

describe('LoopLag', () => {
  let wall: number;
  let processor: number;
  let lag: LoopLag;

  beforeEach(() => {
    [wall, processor] = [1000, 0];
    lag = new LoopLag({ wallMs: () => wall, processorMs: () => processor });
  });

  /** The timer comes so much too late, and this thread was at work for so long of that. */
  function turn(lateMs: number, workedMs: number) {
    wall += PERIOD_MS + lateMs;
    processor += workedMs;
    lag.sample();
  }

  it('is how late a timer comes by what this thread does', () => {
    for (let n = 0; n < 4; n += 1) turn(300, 310);
    expect(lag.ms).toBe(300);
  });

  it('is 0 while timers come a little early', () => {
    for (let n = 0; n < 4; n += 1) turn(-1, 2);
    expect(lag.ms).toBe(0);
  });

  it('is not how late it comes because others have the processor', () => {
    for (let n = 0; n < 10; n += 1) turn(2_000, 40);
    expect(lag.ms).toBe(40);
  });

  it('is not what one long piece of work took, and is over as soon as that is', () => {
    for (let n = 0; n < 8; n += 1) turn(1, 2);
    for (let n = 0; n < 3; n += 1) turn(5_000, 5_000);
    expect(lag.ms).toBe(1);
    turn(5_000, 5_000);
    expect(lag.ms).toBe(5_000);
    turn(3, 20);
    expect(lag.ms).toBe(3);
  });

  it('is nothing before there was time to measure', () => {
    for (let n = 0; n < 3; n += 1) turn(900, 900);
    expect(lag.ms).toBe(0);
    turn(900, 900);
    expect(lag.ms).toBe(900);
  });

  it('measures this thread', async () => {
    const real = new LoopLag();
    const timer = setInterval(() => real.sample(), PERIOD_MS);
    let going = true;
    const work = () => {
      const until = process.threadCpuUsage().user / 1000 + 100;
      while (process.threadCpuUsage().user / 1000 < until);
      if (going) setImmediate(work);
    };
    setImmediate(work);
    await eventually(() => expect(real.ms).toBeGreaterThan(40));
    going = false;
    await eventually(() => expect(real.ms).toBeLessThan(20));
    clearInterval(timer);
  });
});

class SetLag extends LoopLag {
  now = 0;

  override get ms() {
    return this.now;
  }
}

describe('LoadShedder', () => {
  let lag: SetLag;
  let load: LoadShedder;

  beforeEach(() => {
    lag = new SetLag();
    load = new LoadShedder({ requests: 3, reserved: 2, few: 2, lagMs: 200 }, lag);
  });

  function admitted(network = 'one'): RequestWork {
    const work = load.admit(network);
    if (!work) throw new Error('refused');
    return work;
  }

  it('bounds the requests at once, and admits another one for each that ends', () => {
    const works = [admitted(), admitted(), admitted()];
    expect(load.admit('one')).toBeUndefined();
    works[0]?.end();
    works[0]?.end();
    admitted();
    expect(load.admit('one')).toBeUndefined();
    expect(load.atWork).toBe(3);
    expect(load.refused).toEqual({ requests: 2, lag: 0 });
  });

  it('has reserved room, also bounded, for networks with few requests', () => {
    const works = [admitted(), admitted(), admitted()];
    const other = [admitted('other'), admitted('other')];
    for (const network of ['one', 'other', 'third']) expect(load.admit(network)).toBeUndefined();
    works[0]?.end();
    for (const network of ['one', 'other']) expect(load.admit(network)).toBeUndefined();
    admitted('third');
    for (const work of [...works, ...other]) work.end();
    expect(load.atWork).toBe(1);
    for (let n = 0; n < 2; n += 1) admitted('other');
  });

  it('does not count a request while it waits for a client', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const work = admitted();
    const waiting = underWork(work, () => whileWaiting(() => promise));
    expect(load.atWork).toBe(0);
    resolve('said');
    expect(await waiting).toBe('said');
    expect(load.atWork).toBe(1);
    await expect(
      underWork(work, () => whileWaiting(() => Promise.reject(new Error('gone')))),
    ).rejects.toThrow('gone');
    expect(load.atWork).toBe(1);
  });

  it('does not count it while any of its waits goes on, nor after it ended in one', async () => {
    const waits = [1, 2].map(() => Promise.withResolvers<void>());
    const work = admitted();
    const all = waits.map(({ promise }) => underWork(work, () => whileWaiting(() => promise)));
    waits[0]?.resolve();
    await all[0];
    expect(load.atWork).toBe(0);
    work.end();
    expect(load.atWork).toBe(0);
    waits[1]?.resolve();
    await all[1];
    expect(load.atWork).toBe(0);
  });

  it('runs work outside a request too', async () => {
    expect(await whileWaiting(async () => 7)).toBe(7);
  });

  it('takes on nothing while the event loop is late, and counts that apart', () => {
    lag.now = 200;
    const work = admitted();
    lag.now = 201;
    expect(load.admit('one')).toBeUndefined();
    work.end();
    expect(load.admit('one')).toBeUndefined();
    lag.now = 0;
    admitted();
    expect(load.refused).toEqual({ requests: 0, lag: 2 });
  });
});
