import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { isDatabaseOutage, OutageLog, refusedWrite } from './outage.js';

const withCode = (code: string, message = 'no') => Object.assign(new Error(message), { code });
const failed = (code: string) => new QueryFailedError('SELECT 1', [], withCode(code));

const SQLITE_DOWN = ['BUSY', 'BUSY_SNAPSHOT', 'LOCKED', 'PROTOCOL', 'FULL', 'IOERR', 'IOERR_WRITE']
  .concat(['CANTOPEN', 'READONLY', 'NOMEM', 'CORRUPT', 'NOTADB'])
  .map((name) => `SQLITE_${name}`);
const POSTGRES_DOWN = [
  '08000',
  '08003',
  '08006',
  '08P01',
  '53000',
  '53300',
  '53100',
  '57P01',
  '57P02',
]
  .concat(['57P03', '57P05', '57014', '58030', '28P01', '3D000', '25006', '25P03', 'XX001'])
  .concat(['40001', '40P01', '55P03']);
const NETWORK_DOWN = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'];

const STATEMENT_AT_FAULT = ['SQLITE_CONSTRAINT', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR']
  .concat(['SQLITE_MISMATCH', 'SQLITE_RANGE', 'SQLITE_MISUSE', 'SQLITE_BUSYBODY'])
  .concat([
    '23505',
    '23503',
    '23502',
    '22001',
    '42P01',
    '42601',
    '25P02',
    '0800',
    'ENOENT',
    'ERR_X',
  ]);

describe('an outage', () => {
  it.each([...SQLITE_DOWN, ...POSTGRES_DOWN, ...NETWORK_DOWN])(
    'is recognised by the code %s',
    (code) => {
      expect(isDatabaseOutage(withCode(code))).toBe(true);
      expect(isDatabaseOutage(failed(code))).toBe(true);
    },
  );

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Driver not Connected',
  ])('is recognised by the message "%s"', (message) => {
    expect(isDatabaseOutage(new Error(message))).toBe(true);
    expect(isDatabaseOutage(new QueryFailedError('SELECT 1', [], new Error(message)))).toBe(true);
  });

  it('is a runner that TypeORM released because its connection died', () => {
    expect(isDatabaseOutage(new QueryRunnerAlreadyReleasedError())).toBe(true);
  });

  it.each([
    ['cause', new Error('outer', { cause: new Error('inner', { cause: withCode('ECONNRESET') }) })],
    ['driverError', Object.assign(new Error('outer'), { driverError: withCode('SQLITE_FULL') })],
    ['errors', new AggregateError([new Error('v6'), withCode('ECONNREFUSED')])],
    ['a rejection that is no Error', { code: '57P01' }],
  ])('is found through %s', (_path, error) => {
    expect(isDatabaseOutage(error)).toBe(true);
  });
});

describe('no outage', () => {
  it.each(STATEMENT_AT_FAULT)('is the code %s', (code) => {
    expect(isDatabaseOutage(withCode(code))).toBe(false);
    expect(isDatabaseOutage(failed(code))).toBe(false);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'ECONNREFUSED'],
    ['a plain error', new TypeError('x is not a function')],
    ['a numeric code', { code: 8006 }],
    ['a message that only quotes one', new Error('refused: Query read timeout')],
  ])('is %s', (_what, error) => {
    expect(isDatabaseOutage(error)).toBe(false);
  });

  it('is an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isDatabaseOutage(error)).toBe(false);
  });
});

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
const coded = (code: string) => Object.assign(new Error('failed'), { code });

describe('a write that was refused', () => {
  it.each([
    ['full', coded('53100')],
    ['full', coded('SQLITE_FULL')],
    ['full', reply("OOM command not allowed when used memory > 'maxmemory'.")],
    [
      'full',
      reply(
        'ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed when used',
      ),
    ],
    ['read-only', coded('25006')],
    ['read-only', coded('SQLITE_READONLY_DIRECTORY')],
    ['read-only', reply("READONLY You can't write against a read only replica.")],
    ['io', coded('58030')],
    ['io', coded('SQLITE_IOERR_WRITE')],
    ['io', reply('MISCONF Redis is configured to save RDB snapshots')],
  ])('is for a store that is %s: %s', (reason, error) => {
    expect(refusedWrite(error)).toBe(reason);
  });

  it.each([
    coded('23505'),
    coded('ECONNREFUSED'),
    reply('NOAUTH Authentication required.'),
    new Error('OOM command not allowed'),
    undefined,
    'OOM',
  ])('is no other failure: %s', (error) => {
    expect(refusedWrite(error)).toBeUndefined();
  });
});

describe('OutageLog', () => {
  let lines: string[];
  let outage: OutageLog;
  const keep = (line: string) => void lines.push(line);

  beforeEach(() => {
    lines = [];
    outage = new OutageLog({ log: keep, warn: keep });
  });

  it('says the beginning and the end of every outage once', () => {
    outage.end('back');
    for (const line of ['out', 'still out']) outage.begin(line);
    for (const line of ['back', 'still back']) outage.end(line);
    outage.begin('out again');
    expect(lines).toEqual(['out', 'back', 'out again']);
  });

  it('may end without a line in the log', () => {
    outage.begin('out');
    outage.end();
    outage.begin('out again');
    expect(lines).toEqual(['out', 'out again']);
  });

  it('watches work: its failure is the beginning, with the error, and its success the end', async () => {
    const fail = () => Promise.reject(new Error('gone'));
    expect(await outage.watch(fail, 'out')).toBeUndefined();
    expect(await outage.watch(async () => 7, 'out', 'back')).toBe(7);
    expect(lines).toEqual(['out: Error: gone', 'back']);
  });

  it('logs no outage that begins too soon after one that it logged', () => {
    outage = new OutageLog({ log: keep, warn: keep }, 1000);
    for (let now = 1; now < 1000; now += 100) {
      outage.begin(`out at ${now}`, now);
      outage.end('back');
    }
    expect(lines).toEqual(['out at 1', 'back']);
    outage.begin('out again', 1001);
    expect(lines).toEqual(['out at 1', 'back', 'out again']);
  });
});
