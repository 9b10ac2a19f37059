import { ExpectedError, RefusalError } from './refusal.error.js';

describe('an error that is an answer', () => {
  it.each([new ExpectedError('no'), new RefusalError(400, 'no')])('has no stack: %p', (error) => {
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('no');
    expect(error.stack).not.toContain('at ');
  });

  it('keeps its cause, and takes no stack from others', () => {
    const cause = new Error('why');
    expect(new RefusalError(400, 'no', {}, { cause }).cause).toBe(cause);
    expect(cause.stack).toContain('at ');
    expect(new Error('after').stack).toContain('at ');
  });
});
