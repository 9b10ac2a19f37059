import { toLogLine } from './log-line.js';

describe('toLogLine', () => {
  it('takes a text and its context', () => {
    expect(toLogLine('it listens', ['Start'])).toEqual({
      message: 'it listens',
      context: 'Start',
      fields: {},
    });
  });

  it('keeps the stack that follows an error text', () => {
    const { message, context } = toLogLine('it failed', ['Error: x\n at y', undefined, 'Hub']);
    expect([message, context]).toEqual(['it failed\nError: x\n at y', 'Hub']);
  });

  it('takes fields and the text that goes with them', () => {
    expect(toLogLine({ userId: 'ann' }, ['sign-up', 'Audit'])).toEqual({
      message: 'sign-up',
      context: 'Audit',
      fields: { userId: 'ann' },
    });
  });

  it('keeps of an error what holds no parameter', () => {
    const failed = Object.assign(new Error('no such table'), {
      code: 'SQLITE_ERROR',
      parameters: ['s3cret'],
      query: 'SELECT 1',
    });
    const line = toLogLine(failed, ['Hub']);
    expect(line.message).toBe('no such table');
    expect(line.error).toMatchObject({ type: 'Error', code: 'SQLITE_ERROR' });
    expect(JSON.stringify(line)).not.toMatch(/s3cret|SELECT/);
  });

  it.each([undefined, null, 7])('takes %p as it is', (said) => {
    expect(toLogLine(said, [])).toEqual({ message: String(said), fields: {} });
  });
});
