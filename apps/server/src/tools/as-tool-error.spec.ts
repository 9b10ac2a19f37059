import { ToolError } from '#libs/mcp';
import { CallTimeoutError, TabGoneError, UnknownTabError } from '#libs/tab-hub';
import { asToolError } from './as-tool-error.js';

const refusalOf = (error: unknown) => (error instanceof RangeError ? 'Send less.' : undefined);

describe('asToolError', () => {
  it('passes on what the promise brings', async () => {
    await expect(asToolError(Promise.resolve(3), refusalOf)).resolves.toBe(3);
  });

  it('says the refusal to the model, and keeps the cause', async () => {
    const cause = new RangeError('no');
    const told = asToolError(Promise.reject(cause), refusalOf);
    await expect(told).rejects.toBeInstanceOf(ToolError);
    await expect(told).rejects.toMatchObject({ message: 'Send less.', cause });
  });

  it.each([
    ['tab gone', new UnknownTabError()],
    ['tab gone', new TabGoneError()],
    ['took too long', new CallTimeoutError(100)],
    ['refused by its code', new RangeError('no')],
  ])('has for the audit trail the reason %s', async (reason, error) => {
    const told = asToolError(Promise.reject(error), () => 'No.');
    await expect(told).rejects.toMatchObject({ reason });
  });

  it('leaves outages to the log', async () => {
    const outage = new Error('connect ECONNREFUSED 10.0.0.5:6379');
    await expect(asToolError(Promise.reject(outage), refusalOf)).rejects.toBe(outage);
  });
});
