import { AccountCalls } from './call-limit.js';

const LISTEN = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const NOTE = { jsonrpc: '2.0', method: 'notifications/cancelled' };
const TOO_MANY = expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } });

describe('AccountCalls', () => {
  let calls: AccountCalls;
  const begin = (count: number, account = 'ann') =>
    Array.from({ length: count }, () => calls.begin(account));

  /** A request whose message is a call. */
  const beginCall = (account: string) => {
    const call = calls.begin(account);
    try {
      call.becomes(CALL);
    } catch (error) {
      call.end();
      throw error;
    }
  };

  beforeEach(() => {
    calls = new AccountCalls();
  });

  it('lets an account have 32 under way, whatever others have', () => {
    const anns = begin(32);
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
    begin(32, 'bob');
    anns[7]?.end();
    calls.begin('ann');
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('reads two messages more, which may be notifications and nothing else', () => {
    begin(32);
    const [first, second] = begin(2);
    expect(() => calls.begin('ann')).toThrow(TOO_MANY);
    first?.becomes(NOTE);
    for (const body of [CALL, [NOTE], null]) {
      expect(() => second?.becomes(body)).toThrow(TOO_MANY);
    }
    first?.end();
    second?.end();
    begin(2);
    expect(() => calls.begin('ann')).toThrow(TOO_MANY);
  });

  it('gives a place back once', () => {
    const [first] = begin(32);
    first?.end();
    first?.end();
    calls.begin('ann');
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('counts each message of a batch', () => {
    begin(1)[0]?.becomes(Array(30).fill({}));
    const [, last] = begin(2);
    expect(() => last?.becomes([{}, {}])).toThrow(TOO_MANY);
    last?.end();
    calls.begin('ann').becomes([{}]);
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('refuses a batch that can never have its places otherwise', () => {
    const [call] = begin(1);
    expect(() => call?.becomes(Array(33).fill({}))).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    call?.becomes(Array(32).fill({}));
  });

  it('counts streams that only listen apart, 8 an account', () => {
    const listeners = begin(8);
    for (const listener of listeners) listener.becomes(LISTEN);
    const [ninth] = begin(32);
    expect(() => ninth?.becomes(LISTEN)).toThrow(TOO_MANY);
    calls.begin('bob').becomes(LISTEN);
    listeners[0]?.end();
    calls.begin('ann').becomes(LISTEN);
  });

  it('takes nothing for a call that has ended', () => {
    const [call] = begin(1);
    call?.end();
    call?.becomes(LISTEN);
    call?.becomes(Array(32).fill({}));
    begin(32);
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('keeps nothing of an account that has nothing under way', () => {
    for (const body of [{}, [], [{}, {}], LISTEN]) {
      const [call] = begin(1);
      call?.becomes(body);
      call?.end();
    }
    const counted = (['calls', 'listening', 'notes'] as const).map((each): unknown =>
      Reflect.get(Reflect.get(calls, each) as object, 'lines'),
    );
    expect(counted).toEqual([new Map(), new Map(), new Map()]);
  });
});
