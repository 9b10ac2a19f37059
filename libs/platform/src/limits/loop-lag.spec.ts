import { eventually } from '../../../../test/support/eventually.js';
import { LoopLag } from './loop-lag.js';

const PERIOD_MS = 50;

describe('LoopLag', () => {
  let wall: number;
  let processor: number;
  let lag: LoopLag;

  beforeEach(() => {
    jest.useFakeTimers();
    [wall, processor] = [1000, 0];
    lag = new LoopLag({ wallMs: () => wall, processorMs: () => processor });
    lag.start();
  });
  afterEach(() => {
    lag.stop();
    jest.useRealTimers();
  });

  /** The timer comes so much too late, and this thread was at work for so long of that. */
  function turn(lateMs: number, workedMs: number) {
    wall += PERIOD_MS + lateMs;
    processor += workedMs;
    jest.advanceTimersByTime(PERIOD_MS);
  }

  it('is how late a timer comes by what this thread does', () => {
    for (let n = 0; n < 4; n += 1) turn(300, 310);
    expect(lag.ms).toBe(300);
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

  it('is nothing before there was time to measure, and again after another start', () => {
    for (let n = 0; n < 3; n += 1) turn(900, 900);
    expect(lag.ms).toBe(0);
    turn(900, 900);
    lag.start();
    expect(lag.ms).toBe(0);
  });

  it('measures this thread', async () => {
    jest.useRealTimers();
    const real = new LoopLag();
    real.start();
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
    real.stop();
  });
});
