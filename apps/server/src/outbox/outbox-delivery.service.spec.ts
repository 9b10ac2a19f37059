import { OutageLog } from '#libs/platform';
import { EventDelivery } from './outbox-delivery.service.js';
import { type DeliveredEvent, DeliveryError, EventSink } from './event-sink.js';
import type { ClaimedQueue, OutboxClaims, WaitingEvent } from './outbox.store.js';

const QUEUE: ClaimedQueue = { id: 'ann', claim: 'mine', written: 3 };

const waiting = (id: string, more: Partial<WaitingEvent> = {}): WaitingEvent => ({
  id,
  body: '{"type":"sign-in","timestamp":"2026-11-22T09:30:00.000Z","data":{"user":"ann"}}',
  attempts: 0,
  isLate: false,
  ...more,
});

describe('a turn of a queue', () => {
  let said: string[];
  let events: WaitingEvent[];
  let deliver: (event: DeliveredEvent, signal: AbortSignal) => Promise<void>;
  let closing: AbortController;
  let counts: { delivered: number; failed: number; dead: number };
  const lines: string[] = [];
  const log = new OutageLog({
    log: (line) => lines.push(line),
    warn: (line) => lines.push(line),
  });

  const claims = {
    next: async () => events,
    delivered: async ({ id }: WaitingEvent) => void said.push(`delivered ${id}`),
    finish: async () => said.push('finished') > 0,
    release: async () => void said.push('released'),
    fail: async (_queue: ClaimedQueue, { id }: WaitingEvent, why: string, pauseMs: number) =>
      void said.push(`${id} failed: ${why}; for ${Math.round(pauseMs / 1000)} s`),
    giveUp: async (_queue: ClaimedQueue, { id }: WaitingEvent, why: string) =>
      void said.push(`${id} given up: ${why}`),
  } as unknown as OutboxClaims;

  class Sink extends EventSink {
    deliver(event: DeliveredEvent, signal: AbortSignal) {
      return deliver(event, signal);
    }
  }

  const takeTurn = async (goesOn = () => true) => {
    const delivery = new EventDelivery(new Sink(), claims, log, counts, closing.signal);
    await delivery.takeTurn(QUEUE, goesOn);
    return said;
  };

  beforeEach(() => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    said = [];
    events = [waiting('one'), waiting('two')];
    closing = new AbortController();
    counts = { delivered: 0, failed: 0, dead: 0 };
    deliver = async () => undefined;
  });
  afterEach(() => jest.restoreAllMocks());

  it('delivers one after the other, and ends the queue', async () => {
    const underWay: string[] = [];
    deliver = async ({ id }) => {
      underWay.push(`${id} begins`);
      await Promise.resolve();
      underWay.push(`${id} ends`);
    };
    expect(await takeTurn()).toEqual(['delivered one', 'delivered two', 'finished']);
    expect(underWay).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(counts).toEqual({ delivered: 2, failed: 0, dead: 0 });
  });

  it('ends with the first failure: what comes behind it waits', async () => {
    deliver = () => Promise.reject(new DeliveryError('the webhook answered 500'));
    expect(await takeTurn()).toEqual(['one failed: the webhook answered 500; for 5 s']);
    expect(counts).toEqual({ delivered: 0, failed: 1, dead: 0 });
  });

  it('bears a sink that throws at once, whatever it throws', async () => {
    deliver = () => {
      throw new TypeError('broken');
    };
    expect(await takeTurn()).toEqual(['one failed: TypeError: broken; for 5 s']);
    for (const wordless of [undefined, Object.create(null)]) {
      said = [];
      deliver = () => Promise.reject(wordless);
      expect(await takeTurn()).toEqual(['one failed: no error message; for 5 s']);
    }
  });

  it.each(['{"type":"sign-in"', 'null', '["sign-in"]', ''])(
    'a stored body of %j is a failure like others, and is not shown',
    async (body) => {
      events = [waiting('one', { body }), waiting('two')];
      expect(await takeTurn()).toEqual(['one failed: its stored body is not valid; for 5 s']);
      said = [];
      events = [waiting('one', { body, attempts: 9 })];
      expect(await takeTurn()).toEqual(['one given up: its stored body is not valid']);
      expect(counts).toEqual({ delivered: 0, failed: 2, dead: 1 });
    },
  );

  it.each([[{ attempts: 9 }], [{ attempts: 0, isLate: true }]])(
    'gives up what failed often enough, or for too long: %j',
    async (more) => {
      events = [waiting('one', more)];
      deliver = () => Promise.reject(new DeliveryError('no'));
      expect(await takeTurn()).toEqual(['one given up: no']);
      expect(counts).toEqual({ delivered: 0, failed: 1, dead: 1 });
    },
  );

  it('leaves the receiver alone for as long as it asks', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    deliver = () => Promise.reject(new DeliveryError('busy', 90_000));
    expect(await takeTurn()).toEqual(['one failed: busy; for 90 s']);
  });

  it('begins nothing when it must not go on', async () => {
    expect(await takeTurn(() => false)).toEqual(['released']);
  });

  it('what is cut off when the service stops is no failure', async () => {
    deliver = () => new Promise(() => {});
    const turn = takeTurn();
    await Promise.resolve();
    closing.abort();
    expect(await turn).toEqual(['released']);
    expect(counts.failed).toBe(0);
  });

  it('aborts a delivery at the end of its time and waits for it no longer', async () => {
    const end = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal);
    let heard = false;
    deliver = (_event, signal) => {
      signal.addEventListener('abort', () => (heard = true));
      end.abort();
      return new Promise(() => {});
    };
    expect(await takeTurn()).toEqual(['one failed: there was no end in time; for 5 s']);
    expect(heard).toBe(true);
  });

  it('counts what was taken in time, though the end of its answer never came', async () => {
    const end = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal);
    events = [waiting('one')];
    deliver = (_event, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => setImmediate(resolve));
      end.abort();
      return promise;
    };
    expect(await takeTurn()).toEqual(['delivered one', 'finished']);
  });
});
