import {
  currentRequestId,
  currentTraceId,
  readTraceparent,
  traceHeaders,
  underRequest,
} from './index.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const GIVEN = `00-${ID}-${PARENT}-01`;

describe('traceparent', () => {
  it.each([
    ['of version 00', GIVEN, '01'],
    ['that is not sampled', `00-${ID}-${PARENT}-00`, '00'],
    ['with flags that nobody knows yet', `00-${ID}-${PARENT}-fe`, '00'],
    ['of a later version', `cc-${ID}-${PARENT}-01-what-comes`, '01'],
  ])('%s is read', (_what, header, flags) => {
    expect(readTraceparent(header)).toEqual({ id: ID, parentId: PARENT, flags });
  });

  it.each([
    ['nothing', undefined],
    ['empty', ''],
    ['two of them', `${GIVEN}, ${GIVEN}`],
    ['a list', [GIVEN, GIVEN]],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['no parent', `00-${ID}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${ID}-${PARENT}-01`],
    ['more than version 00 has', `${GIVEN}-x`],
    ['upper case', GIVEN.toUpperCase()],
    ['an end of line', `${GIVEN}\n`],
    ['too short', GIVEN.slice(0, -1)],
    ['too long', `cc-${ID}-${PARENT}-01-${'x'.repeat(512)}`],
  ])('%s is none', (_what, header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

describe('the request that is being handled', () => {
  it('goes on with the trace that it came with, under a parent of its own', () => {
    underRequest('edge-1', { trace: { id: ID, parentId: PARENT, flags: '01' } }, () => {
      expect([currentRequestId(), currentTraceId()]).toEqual(['edge-1', ID]);
      const [one, other] = [traceHeaders().traceparent, traceHeaders().traceparent];
      expect(one).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`));
      expect(new Set([one, other, GIVEN]).size).toBe(3);
    });
  });

  it('begins a trace by its own id, not sampled', () => {
    underRequest('4bf92f35-77b3-4da6-a3ce-929d0e0e4736', undefined, () => {
      expect(currentTraceId()).toBeUndefined();
      expect(traceHeaders().traceparent).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-00$`));
    });
  });

  it('begins none where its id cannot be that of a trace, or there is no request', () => {
    expect(traceHeaders()).toEqual({});
    expect(underRequest('edge-1', undefined, traceHeaders)).toEqual({});
    expect(underRequest('0'.repeat(32), undefined, traceHeaders)).toEqual({});
  });
});
