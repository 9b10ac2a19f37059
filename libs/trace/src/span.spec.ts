import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  followInSpan,
  inSpan,
  type Span,
  type SpanDescription,
  traceHeaders,
  underRequest,
} from './index.js';

const TRACE = { id: '4bf92f3577b34da6a3ce929d0e0e4736', flags: '01' };

/** Remembers what is below it, and how it ended. */
class KnownSpan implements Span {
  readonly id = '00f067aa0ba902b7';
  readonly below: KnownSpan[] = [];
  readonly ends: (string | undefined)[] = [];
  attributes: Attributes = {};

  constructor(readonly name = 'request') {}

  begin({ name }: SpanDescription) {
    const span = new KnownSpan(name);
    this.below.push(span);
    return span;
  }

  set(attributes: Attributes) {
    this.attributes = { ...this.attributes, ...attributes };
  }

  end(errorType?: string) {
    this.ends.push(errorType);
  }
}

const describeAs = (name: string) => () => ({ name, kind: 'internal' }) as const;

const treeOf = ({ name, below }: KnownSpan): unknown => [name, ...below.map(treeOf)];

describe('a piece of the work for a request', () => {
  const recorded = <T>(work: () => T) => {
    const span = new KnownSpan();
    return [span, underRequest('edge-1', { trace: TRACE, span }, work)] as const;
  };

  it('is a span of the one that it is done in', async () => {
    const [root, done] = recorded(async () => {
      const other = inSpan(describeAs('other'), () => sleep(1));
      await inSpan(describeAs('outer'), async () => {
        await sleep(1);
        return inSpan(describeAs('inner'), async (span) => span?.set({ 'a.b': 1 }));
      });
      return other;
    });
    await done;
    expect(treeOf(root)).toEqual(['request', ['other'], ['outer', ['inner']]]);
    expect(root.below.map(({ ends }) => ends)).toEqual([[undefined], [undefined]]);
    expect(root.below[1]?.below[0]?.attributes).toEqual({ 'a.b': 1 });
  });

  it('is the parent of what it asks of others', () => {
    const [, asked] = recorded(() => inSpan(describeAs('fetch'), async () => traceHeaders()));
    return expect(asked).resolves.toEqual({ traceparent: `00-${TRACE.id}-00f067aa0ba902b7-01` });
  });

  it.each([
    ['code', Object.assign(new Error('secret'), { code: '23505' }), '23505'],
    ['name', new TypeError('secret'), 'TypeError'],
    [
      'name, where its code is a number',
      new DOMException('secret', 'TimeoutError'),
      'TimeoutError',
    ],
    ['nothing else', Object.assign(new Error(), { name: 'said: secret' }), 'Error'],
    ['nothing', 'secret', 'Error'],
  ])('says of an error its %s', async (_what, error, type) => {
    const [root, failed] = recorded(() =>
      inSpan(describeAs('failing'), () => Promise.reject(error)),
    );
    await expect(failed).rejects.toBe(error);
    expect(root.below[0]?.ends).toEqual([type]);
  });

  it('may have begun, and leaves its error to whoever waits for it', async () => {
    const error = new RangeError();
    const work = Promise.reject(error);
    const [root] = recorded(() => followInSpan(describeAs('begun'), work));
    await expect(work).rejects.toBe(error);
    expect(root.below[0]?.ends).toEqual(['RangeError']);
  });

  it.each([
    ['outside of a request', <T>(work: () => T) => work()],
    ['of a request without a trace', <T>(work: () => T) => underRequest('id', undefined, work)],
    [
      'of one that is not recorded',
      <T>(work: () => T) => underRequest('id', { trace: TRACE }, work),
    ],
  ])('is only done %s', async (_where, within) => {
    let described = 0;
    const describeIt = () => {
      described += 1;
      return describeAs('nothing')();
    };
    const done = within(() => {
      followInSpan(describeIt, Promise.resolve());
      return inSpan(describeIt, async (span) => span);
    });
    await expect(done).resolves.toBeUndefined();
    expect(described).toBe(0);
  });
});
