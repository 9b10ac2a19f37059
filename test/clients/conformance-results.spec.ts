import { readResults } from './conformance-results.js';

const OUTPUT = `
=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✗ logging-set-level: 1 passed, 1 failed
✓ server-sse-polling: 0 passed, 0 failed

Total: 3 passed, 1 failed
`;

describe('results of the conformance suite', () => {
  it('tell scenarios apart that passed, and that checked nothing', () => {
    expect(readResults(OUTPUT)).toEqual({
      passed: 3,
      failed: 1,
      clean: ['ping'],
      idle: ['server-sse-polling'],
    });
  });

  it.each([
    ['no check', '✓ ping: 0 passed, 0 failed\n\nTotal: 0 passed, 0 failed\n'],
    ['no scenario', 'Running all suite (0 scenarios)\n\nTotal: 0 passed, 0 failed\n'],
    ['no summary', 'fetch failed\n'],
    ['nothing said', ''],
  ])('are none when there was %s', (_what, output) => {
    expect(() => readResults(output)).toThrow('the suite checked nothing');
  });
});
