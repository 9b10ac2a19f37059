import { Histogram } from 'prom-client';
import { RecentRequests } from './recent-requests.js';

const MINUTE = 60_000;

describe('the requests of the last five minutes', () => {
  let minutes: number;
  let durations: Histogram<'method' | 'route' | 'status'>;
  let recent: RecentRequests;

  const end = (route: string, seconds: number, status = 200) => {
    recent.mark();
    durations.observe({ method: 'GET', route, status }, seconds);
  };

  beforeEach(() => {
    minutes = 0;
    durations = new Histogram({
      name: 'durations',
      help: 'in a test',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.01, 0.1, 1],
      registers: [],
    });
    recent = new RecentRequests(durations, () => minutes * MINUTE);
  });

  it('are told by route, the slowest first', async () => {
    for (let n = 0; n < 99; n += 1) end('/fast', 0.005);
    end('/slow', 0.5);
    end('/slow', 0.5, 503);
    end('/never', 20);
    expect(await recent.slowest(2)).toEqual([
      {
        method: 'GET',
        route: '/never',
        requests: 1,
        failed: 0,
        totalMs: 20_000,
        meanMs: 20_000,
        p99Ms: 1000,
      },
      {
        method: 'GET',
        route: '/slow',
        requests: 2,
        failed: 1,
        totalMs: 1000,
        meanMs: 500,
        p99Ms: 991,
      },
    ]);
    expect((await recent.slowest(20)).at(-1)).toMatchObject({ route: '/fast', p99Ms: 9.9 });
  });

  it('are not those before', async () => {
    end('/once', 0.5);
    for (minutes = 1; minutes < 7; minutes += 0.5) end('/often', 0.005);
    expect(await recent.slowest(20)).toEqual([expect.objectContaining({ route: '/often' })]);
    const [{ requests = 0 } = {}] = await recent.slowest(20);
    expect(requests).toBeGreaterThanOrEqual(8);
    expect(requests).toBeLessThanOrEqual(10);
  });

  it('are none after a time without any', async () => {
    end('/once', 0.5);
    minutes = 6;
    expect(await recent.slowest(20)).toEqual([]);
    end('/again', 0.5);
    expect(await recent.slowest(20)).toEqual([
      expect.objectContaining({ route: '/again', requests: 1 }),
    ]);
  });

  it('are read from the histogram once a minute, whatever their number', () => {
    let reads = 0;
    const counted = { get: () => ((reads += 1), durations.get()) };
    recent = new RecentRequests(counted, () => minutes * MINUTE);
    for (minutes = 0; minutes < 10; minutes += 0.001) recent.mark();
    expect(reads).toBe(9);
  });
});
