import type { SecurityEventsService } from '#libs/accounts';
import { type Approval, ApprovalService } from '#libs/oauth';
import { RequestWork, underWork } from '#libs/platform';
import type { Callable, McpCaller } from './call.js';
import {
  type ApprovalContext,
  CallApprovalService,
  CallScreening,
} from './call-approval.service.js';
import { NO_REPLY } from './question.js';

type Parts = ConstructorParameters<typeof ApprovalService>;

const caller: McpCaller = {
  user: { id: 'ann', displayName: 'Ann' },
  app: 'Robot',
  grantId: 'g',
  scopes: ['notes:write'],
  ask: ['notes:write'],
  mayAskFor: () => true,
  pausedBy: null,
  dailyCredits: null,
  props: { userId: 'ann', app: 'Robot' },
};

const callable = {
  method: 'tools/call',
  name: 'note',
  label: 'note',
  shown: { name: 'note', title: 'Note' },
  scope: 'notes:write',
  call: async () => 'done',
} as unknown as Callable;

const INPUT = { text: 'hello' };
const OPEN = { id: 'r', userId: 'ann', state: 'open', tab: null, title: 'Note' } as Approval;
const NOT_ANSWERED =
  'Ann has not answered yet. Ask them to open https://gate.example/svc/account/requests/r, then make the same call again.';

describe('a call that waits for its person', () => {
  let state: Approval['state'];
  let looks: number;
  let onLook: () => void;
  let onAsk: () => Promise<void>;
  let steps: string[];
  let stop: AbortController;
  let signal: (userId: string) => void;
  let approvals: CallApprovalService;
  let isFull: boolean;
  let isCrowded: boolean;
  let isAllowed: boolean;
  let isAskable: boolean;
  let isSpent: boolean;

  beforeEach(() => {
    jest.useFakeTimers();
    isCrowded = false;
    onLook = () => undefined;
    onAsk = async () => undefined;
    [isAllowed, isAskable, isSpent] = [true, true, false];
    [state, looks, steps, stop, isFull] = ['open', 0, [], new AbortController(), false];
    const store = {
      ask: async () => {
        await onAsk();
        return { outcome: 'open', approval: OPEN, isNew: true };
      },
      find: async () => {
        looks += 1;
        onLook();
        return { ...OPEN, state };
      },
      spend: async () => !isSpent && (isSpent = true),
      limitOf: async () => (isAllowed ? { dailyCredits: null } : undefined),
    };
    const signals = {
      publish: (userId: string) => signal(userId),
      listen: (listener: typeof signal) => (signal = listener),
    };
    const service = new ApprovalService(
      store as unknown as Parts[0],
      signals as unknown as Parts[1],
      {} as Parts[2],
      { listen: () => undefined } as unknown as SecurityEventsService,
      { approvals: 'click' },
      {} as Parts[5],
    );
    service.onModuleInit();
    approvals = new CallApprovalService(service, new CallScreening());
  });
  afterEach(() => jest.useRealTimers());

  const admit = (reply: ApprovalContext['reply'] = NO_REPLY, asked = callable) =>
    approvals
      .admit(asked, INPUT, caller, {
        origin: 'https://gate.example',
        reply,
        signal: stop.signal,
        progress: (done, total, message) => steps.push(`${done} ${total} ${message}`),
        isBatch: false,
        slots: {
          leave: () => steps.push('leave') > 0 && !isCrowded,
          enter: () => steps.push('enter') > 0 && !isFull,
        },
        untimed: (waiting) => waiting(),
        expectAskable: async () => {
          if (!isAskable) throw new Error('may no longer ask');
        },
      })
      .then(
        (admitted) => admitted,
        (error: Error) => error.message,
      );

  it('waits 45 seconds, tells its progress every 5, and says what to do then', async () => {
    const outcome = admit();
    await jest.advanceTimersByTimeAsync(44_999);
    const told = [5, 10, 15, 20, 25, 30, 35, 40].map(
      (seconds) => `${seconds} undefined Waiting for Ann to answer`,
    );
    expect(steps).toEqual(['leave', ...told]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe(NOT_ANSWERED);
    expect(steps.at(-1)).toBe('enter');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells what is wrong with it only to an app that may still ask', async () => {
    const check = async () => {
      throw new Error('text takes "PIN"');
    };
    expect(await admit(NO_REPLY, { ...callable, check })).toBe('text takes "PIN"');
    isAskable = false;
    expect(await admit(NO_REPLY, { ...callable, check })).toBe('may no longer ask');
  });

  it('looks at once when a signal of its account comes, without one every second', async () => {
    const outcome = admit();
    await jest.advanceTimersByTimeAsync(500);
    expect(looks).toBe(1);
    signal('bob');
    await jest.advanceTimersByTimeAsync(0);
    expect(looks).toBe(1);
    signal('ann');
    await jest.advanceTimersByTimeAsync(0);
    expect(looks).toBe(2);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(looks).toBe(5);
    state = 'once';
    signal('ann');
    expect(await outcome).toMatchObject({ approval: { state: 'once' } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['once', 'always'] as const)(
    'does not run by a yes %s where less is allowed since',
    async (yes) => {
      [state, isAllowed] = [yes, false];
      expect(await admit()).toBe(
        'This request to Ann has ended without an answer, so nothing was done.',
      );
      isAllowed = true;
      expect(await admit()).toMatchObject({ call: expect.any(Function) });
    },
  );

  it.each(['once', 'always'] as const)(
    'runs alone by a yes %s of those that waited for it',
    async (yes) => {
      state = yes;
      expect(await admit()).toMatchObject({ call: expect.any(Function), limit: {} });
      expect(await admit()).toMatch(
        /another call .* Call again only if it has to be done once more/,
      );
    },
  );

  it('is no work of the replica, also while it looks', async () => {
    let atWork = 0;
    const seen: number[] = [];
    onLook = () => seen.push(atWork);
    const work = new RequestWork((change) => (atWork += change));
    const outcome = underWork(work, () => admit());
    await jest.advanceTimersByTimeAsync(2_000);
    expect(seen).toEqual([0, 0, 0]);
    state = 'once';
    await jest.advanceTimersByTimeAsync(1_000);
    await outcome;
    expect(atWork).toBe(1);
  });

  it('is no work any more when its client leaves', async () => {
    let atWork = 0;
    const work = new RequestWork((change) => (atWork += change));
    const outcome = underWork(work, () => admit());
    await jest.advanceTimersByTimeAsync(10);
    stop.abort(new Error('gone'));
    expect(await outcome).toBe('gone');
    expect(atWork).toBe(0);
  });

  it('is no work while other calls of its account are asked about', async () => {
    let atWork = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    onAsk = async () => promise;
    const works = [1, 2, 3].map(() => new RequestWork((change) => (atWork += change)));
    const outcomes = works.map((work) => underWork(work, () => admit()));
    await jest.advanceTimersByTimeAsync(10);
    expect(atWork).toBe(1);
    resolve();
    await jest.advanceTimersByTimeAsync(10);
    expect(atWork).toBe(0);
    stop.abort(new Error('gone'));
    expect(await Promise.all(outcomes)).toEqual(['gone', 'gone', 'gone']);
  });

  it('is not asked about where its client left before that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    onAsk = jest.fn(async () => promise);
    const outcomes = [admit(), admit()];
    await jest.advanceTimersByTimeAsync(10);
    stop.abort(new Error('gone'));
    resolve();
    expect(await Promise.all(outcomes)).toEqual(['gone', 'gone']);
    expect(onAsk).toHaveBeenCalledTimes(1);
  });

  it('ends with its client, and takes no slot', async () => {
    const outcome = admit();
    await jest.advanceTimersByTimeAsync(10);
    stop.abort(new Error('gone'));
    expect(await outcome).toBe('gone');
    expect(steps).toEqual(['leave']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not wait where too many of its account do', async () => {
    isCrowded = true;
    expect(await admit()).toBe(NOT_ANSWERED);
    expect([looks, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('is not spent where no slot is free for its work', async () => {
    [isFull, state] = [true, 'once'];
    expect(await admit()).toContain('too many other calls of the account are under way');
  });

  it('sends a client that opens addresses to the request, which waits when it calls again', async () => {
    const clientCapabilities = { elicitation: { url: {} } };
    const asks = { ...NO_REPLY, clientCapabilities };
    expect(await admit(asks)).toMatchObject({
      inputRequests: {
        approval: {
          params: { mode: 'url', url: 'https://gate.example/svc/account/requests/r' },
        },
      },
    });
    for (const action of ['decline', 'cancel']) {
      const inputResponses = { approval: { action } };
      expect(await admit({ ...asks, inputResponses })).toBe(NOT_ANSWERED);
    }
    expect(steps).toEqual([]);
    const again = admit({ ...asks, inputResponses: { approval: { action: 'accept' } } });
    await jest.advanceTimersByTimeAsync(10);
    expect(steps).toEqual(['leave']);
    state = 'always';
    signal('ann');
    expect(await again).toMatchObject({ call: expect.any(Function) });
    isSpent = false;
    const forms = { ...NO_REPLY, clientCapabilities: { elicitation: { form: {} } } };
    expect(await admit(forms)).toMatchObject({ call: expect.any(Function) });
  });

  it('concerns no call that is allowed, and reads nothing for it', () => {
    const allowed = { ...caller, ask: [] };
    expect(approvals.concerns(callable, allowed)).toBe(false);
    expect(approvals.concerns(callable, caller)).toBe(true);
    expect(approvals.concerns(callable, { ...allowed, pausedBy: 'person' as const })).toBe(true);
    expect(approvals.concerns({ ...callable, confirm: true }, allowed)).toBe(true);
  });
});
