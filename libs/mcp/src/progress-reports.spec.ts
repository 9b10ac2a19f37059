import { ProgressReports } from './progress.js';

describe('reports of progress', () => {
  let told: object[];
  let reports: ProgressReports;

  beforeEach(() => {
    jest.useFakeTimers();
    told = [];
    reports = new ProgressReports('token', ({ params }: { params?: object }) =>
      told.push({ ...params }),
    );
  });
  afterEach(() => jest.useRealTimers());

  it('say how far a call is, under the token of its client', () => {
    reports.report(1);
    reports.report(2, 4);
    reports.report(3, 4, 'almost');
    expect(told).toEqual([
      { progressToken: 'token', progress: 1 },
      { progressToken: 'token', progress: 2, total: 4 },
      { progressToken: 'token', progress: 3, total: 4, message: 'almost' },
    ]);
  });

  it('leave out what does not increase, and what is no number', () => {
    for (const done of [0, -1, 0, 0.5, 0.5, Number.NaN, Infinity, 0.4])
      reports.report(done, Number.NaN);
    expect(told.map((one) => Reflect.get(one, 'progress'))).toEqual([0, 0.5]);
    expect(told[0]).not.toHaveProperty('total');
  });

  it('are ten a second, and the last of those that come faster', () => {
    for (let done = 1; done <= 1_000; done += 1) reports.report(done);
    expect(told).toHaveLength(10);
    jest.advanceTimersByTime(1_000);
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toMatchObject({ progress: 1_000 });
    for (let done = 1_001; done <= 2_000; done += 1) reports.report(done);
    expect(told).toHaveLength(20);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('have short messages, without half characters', () => {
    reports.report(1, 2, `${'x'.repeat(999)}😀`);
    expect(told).toMatchObject([{ message: `${'x'.repeat(999)}\ufffd` }]);
  });
});
