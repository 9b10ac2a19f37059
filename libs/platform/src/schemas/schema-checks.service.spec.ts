import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { JsonObject } from '../json.js';
import { SchemaChecks } from './schema-checks.service.js';

const TOO_LONG = 'checking them takes too long; send less';
const PAINT: JsonObject = { type: 'object', properties: { colour: { type: 'string' } } };
const MISFIT = 'colour takes a string';

/** Each part leads to the next one twice: 2 to the 60th ways. */
const $defs = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => {
    const next = { $ref: `#/$defs/s${at + 1}` };
    return [`s${at}`, { allOf: [next, next] }];
  }),
);
const CATASTROPHE: JsonObject = { $defs: { ...$defs, s60: {} }, $ref: '#/$defs/s0' };

/** The second of a call may pass on a busy machine. */
class PatientChecks extends SchemaChecks {
  protected override readonly maxCallMs = 30_000;
}

describe('SchemaChecks', () => {
  let checks: SchemaChecks;
  let answered: string[];

  const paint = async (account: string) => {
    const mismatch = await checks.mismatch(account, PAINT, { colour: 7 });
    answered.push(account);
    return mismatch;
  };
  const catastrophe = (title = '') => ({ ...CATASTROPHE, title });
  const wreck = async (account: string, title?: string) => {
    const mismatch = await checks.mismatch(account, catastrophe(title), {});
    answered.push(account);
    return mismatch;
  };

  beforeEach(() => {
    checks = new PatientChecks();
    answered = [];
  });
  afterEach(() => checks.onModuleDestroy());

  it('says what does not fit, and nothing of what does', async () => {
    expect(await paint('ann')).toBe(MISFIT);
    expect(await checks.mismatch('ann', PAINT, { colour: 'red' })).toBeUndefined();
    expect(await checks.mismatch('ann', PAINT, undefined)).toBe('the arguments take an object');
  });

  it('says which of several schemas is none, and why', async () => {
    const schemas = [PAINT, { type: 'object', properties: { a: { type: 'text' } } }];
    const fault = 'it is no valid JSON Schema (properties.a.type)';
    expect(await checks.faultAmong('ann', schemas)).toEqual({ fault, at: 1 });
    expect(await checks.faultAmong('ann', [PAINT])).toEqual({});
    expect(await checks.faultAmong('ann', [PAINT])).toEqual({});
  });

  it('ends what takes too long, while the process goes on', async () => {
    let turns = 0;
    const over = wreck('eve');
    while (answered.length === 0) {
      await setImmediate();
      turns += 1;
    }
    expect(await over).toBe(TOO_LONG);
    expect(turns).toBeGreaterThan(10);
  });

  const slowToRead = (title: string): JsonObject => {
    const pattern = (at: number) => `(?i:[^\\p{L}])(?i:[^\\p{N}])(?i:[^\\p{L}])${at}`;
    const patterns = Array.from({ length: 900 }, (_, at) => [pattern(at), {}]);
    return { type: 'object', title, patternProperties: Object.fromEntries(patterns) };
  };
  const WAIT = 'checking them takes too long, as it just did; wait a minute';

  it('checks nothing by a schema whose check was ended, for a minute', async () => {
    expect(await wreck('eve')).toBe(TOO_LONG);
    expect(await wreck('eve')).toBe(WAIT);
    const offered = await checks.faultAmong('eve', [PAINT, catastrophe('')]);
    expect(offered).toEqual({ fault: WAIT, at: 1 });
    expect(await paint('eve')).toBe(MISFIT);
    expect(await wreck('mallory')).toBe(TOO_LONG);
  });

  it('says which schema of several was being checked', async () => {
    const slow = slowToRead('');
    expect(await checks.faultAmong('eve', [PAINT, slow, PAINT])).toEqual({
      fault: TOO_LONG,
      at: 1,
    });
    expect(await checks.faultAmong('eve', [slow])).toEqual({ fault: WAIT, at: 0 });
    expect(await checks.faultAmong('eve', [PAINT])).toEqual({});
  });

  it('checks nothing more for an account of which three checks were ended, for a minute', async () => {
    for (const title of 'abc') expect(await wreck('eve', title)).toBe(TOO_LONG);
    expect(await paint('eve')).toBe(WAIT);
    expect(await checks.faultAmong('eve', [PAINT])).toEqual({ fault: WAIT });
    expect(await paint('ann')).toBe(MISFIT);
  });

  it('answers a call within its second, also while another account has the thread', async () => {
    await checks.onModuleDestroy();
    checks = new SchemaChecks();
    const offers = Array.from({ length: 20 }, async (_, at) => {
      await checks.faultAmong(`eve ${at}`, [slowToRead(String(at))]);
      answered.push('eve');
    });
    const patterns = Array.from({ length: 60 }, () => ({ pattern: 'a((a{30}){30}){30}' }));
    const schema = { type: 'object', properties: { a: { anyOf: patterns } } };
    const value = { a: 'a'.repeat(100_000) };
    const calls = Array.from({ length: 4 }, () => checks.mismatch('ann', schema, value));
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatch(/takes? too long|too many others are/);
    }
    // Each offer takes at least 100 ms.
    expect(answered.length).toBeLessThan(20);
    await checks.onModuleDestroy();
    await Promise.all(offers);
  });

  it('has accounts that used little before those that used much', async () => {
    await wreck('eve', 'first');
    const all = [
      ...['a', 'b'].map((title) => wreck('eve', title)),
      wreck('mallory'),
      paint('ann'),
      paint('ann'),
      paint('bob'),
    ];
    const misfits = await Promise.all(all);
    expect(misfits).toEqual([TOO_LONG, TOO_LONG, TOO_LONG, MISFIT, MISFIT, MISFIT]);
    // The first of Eve's had begun before the others asked.
    expect(answered.slice(1)).toEqual('eve mallory ann bob ann eve'.split(' '));
  });

  it.each<[string, JsonObject, unknown, RegExp]>([
    ['a schema that leads round for ever', { $ref: '#' }, {}, /takes too long/],
    ['a schema that leads out', { $ref: 'https://evil.test/s' }, {}, /schema cannot be used/],
    [
      'a pattern that is none',
      { properties: { a: { pattern: '(' } } },
      { a: '' },
      /cannot be used/,
    ],
    ['keywords of other types', { required: 5, properties: [] }, {}, /cannot be used/],
    ['a format that every object has', { format: '__proto__' }, 'x', /^$/],
    ['another one', { format: 'hasOwnProperty' }, 'x', /^$/],
    ['a name that is no text', { additionalProperties: false }, { '\ud800': 1 }, /no Unicode/],
  ])('has an answer for %s', async (_what, schema, value, answer) => {
    expect((await checks.mismatch('eve', schema, value)) ?? '').toMatch(answer);
    expect(await paint('eve')).toBe(MISFIT);
  });

  it.each<[string, JsonObject, unknown]>([
    ['members', PAINT, Object.fromEntries(Array.from({ length: 105_000 }, (_, n) => [n, 0]))],
    ['elements', PAINT, Array.from({ length: 105_000 }, () => 0)],
    ['bytes', PAINT, 'x'.repeat(512 * 1024)],
    ['levels', PAINT, JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`)],
    ['bytes of schema', { description: 'x'.repeat(64 * 1024) }, {}],
    [
      'levels of schema',
      JSON.parse(`${'{"not":'.repeat(101)}{}${'}'.repeat(101)}`) as JsonObject,
      {},
    ],
  ])('sends nothing of too many %s', async (_what, schema, value) => {
    expect(await checks.mismatch('eve', schema, value)).toMatch(/too large or too deep/);
  });

  it('bounds the checks that an account has waiting', async () => {
    const all = Array.from({ length: 70 }, () => paint('ann'));
    const [busy, fair] = [/too many others/, MISFIT];
    const misfits = await Promise.all(all);
    expect(misfits.filter((mismatch) => mismatch?.match(busy))).toHaveLength(5);
    expect(misfits.filter((mismatch) => mismatch === fair)).toHaveLength(65);
  });

  it('goes on with a new thread where one died, for others and what waits', async () => {
    expect(await paint('ann')).toBe(MISFIT);
    const asked = [wreck('eve'), paint('ann'), paint('eve')];
    const { thread } = checks as unknown as { thread: Worker };
    await thread.terminate();
    const [died, ...others] = await Promise.all(asked);
    expect(died).toMatch(/could not be checked|too long/);
    expect(others).toEqual([MISFIT, MISFIT]);
  });

  it('has a second thread ready for when the first ends', async () => {
    await paint('ann');
    const { thread, spare } = checks as unknown as { thread: Worker; spare?: Worker };
    const saidBySpare = jest.fn();
    spare?.on('message', saidBySpare);
    await thread.terminate();
    expect(await paint('ann')).toBe(MISFIT);
    expect(saidBySpare).toHaveBeenCalled();
  });

  it('ends a check that runs out of memory, and goes on', async () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ const: `x${at}` }));
    const schema = { items: { anyOf: many }, type: 'array' };
    const value = Array.from({ length: 90_000 }, () => 'y');
    const mismatch = await checks.mismatch('eve', { allOf: [schema, schema] }, value);
    expect(mismatch).toMatch(/takes? (too|one of|something|"x)/);
    expect(await paint('ann')).toBe(MISFIT);
  });

  it('terminates no thread that may still load, which would abort the process', async () => {
    await paint('ann');
    const { thread, spare } = checks as unknown as { thread: Worker; spare?: Worker };
    const ends = [thread, spare].flatMap((one) => (one ? jest.spyOn(one, 'terminate') : []));
    await checks.onModuleDestroy();
    expect(ends).toHaveLength(2);
    for (const terminate of ends) expect(terminate).not.toHaveBeenCalled();
  });

  it('leaves the processor to the thread that serves everyone', async () => {
    await paint('ann');
    const niceness = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)));
    expect(Math.max(...niceness)).toBe(Math.min(getPriority() + 5, 19));
  });

  it('answers everything when the service stops', async () => {
    const asked = [wreck('eve'), paint('eve'), paint('ann')];
    await checks.onModuleDestroy();
    const stopping = 'they cannot be checked, as the service is stopping';
    expect(await Promise.all(asked)).toEqual([stopping, stopping, stopping]);
    expect(await paint('ann')).toBe(stopping);
  });
});
