import { type EndedSpan, Recording } from './recorded-span.js';

const work = { name: 'work', kind: 'internal' } as const;

describe('a recorded span', () => {
  let ended: EndedSpan[];
  const begin = () => {
    const span = new Recording('t', (one) => ended.push(one)).begin(work, 'above');
    if (!span) throw new Error('none');
    return span;
  };
  beforeEach(() => {
    ended = [];
  });

  it('is taken once, when it ends, by its last name', () => {
    const span = begin();
    span.set({ one: 1 });
    span.set({ two: 'two' });
    span.rename('better');
    span.end('failed');
    span.end();
    expect(ended).toEqual([
      {
        traceId: 't',
        id: span.id,
        parentId: 'above',
        name: 'better',
        kind: 'internal',
        attributes: { one: 1, two: 'two' },
        errorType: 'failed',
        startMs: expect.any(Number),
        endMs: expect.any(Number),
      },
    ]);
  });

  it('has nothing more below it once it has ended, nor when it is a leaf', () => {
    const span = begin();
    const below = span.begin({ ...work, isLeaf: true });
    expect(below?.begin(work)).toBeUndefined();
    span.end();
    expect(span.begin(work)).toBeUndefined();
    below?.end();
    expect(ended.map(({ parentId }) => parentId)).toEqual(['above', span.id]);
  });

  it('is one of 500 of a request at most', () => {
    const span = begin();
    const below = Array.from({ length: 600 }, () => span.begin(work));
    expect(below.filter((one) => one !== undefined)).toHaveLength(499);
  });
});
