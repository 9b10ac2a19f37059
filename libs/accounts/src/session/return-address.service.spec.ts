import type { Request, Response } from 'express';
import { createDataSource, databaseMigrations, ServiceKeyEntity } from '#libs/platform';
import type { DataSource } from 'typeorm';
import { sqliteForTests } from '#libs/platform/testing';
import { ownOriginMiddleware } from '../request-origin/own-origin.middleware.js';
import { ownAddress, ReturnAddressService } from './return-address.service.js';

const ORIGIN = 'https://gate.example';
const HOUR_MS = 60 * 60 * 1000;
const PAGE = '/svc/oauth/authorize?client_id=https%3A%2F%2Fapp.example%2F&state=a.b';

describe('ownAddress', () => {
  it.each([
    '/',
    '/svc/account',
    PAGE,
    '/?next=https://evil.example',
    '/a%2F%2Fevil.example',
    '/@evil.example',
  ])('takes %s', (path) => {
    expect(ownAddress(path, ORIGIN)).toBe(`${ORIGIN}${path}`);
  });

  it.each([
    '',
    'svc/account',
    'https://evil.example/',
    'https://gate.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '//gate.example:8443/',
    '//gate.example@evil.example/',
    'javascript:alert(1)',
    '//[',
    undefined,
    ['/svc/account'],
  ])('refuses %j', (path) => {
    expect(ownAddress(path, ORIGIN)).toBeUndefined();
  });

  it('stays at the origin where a browser would see a host in the path alone', () => {
    expect(ownAddress('/.//evil.example', ORIGIN)).toBe(`${ORIGIN}//evil.example`);
    expect(ownAddress('/a/..//evil.example', ORIGIN)).toBe(`${ORIGIN}//evil.example`);
    expect(ownAddress('/a\r\nSet-Cookie: x=y', ORIGIN)).toBe(`${ORIGIN}/aSet-Cookie:%20x=y`);
  });
});

describe('ReturnAddressService', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let returns: ReturnAddressService;

  beforeEach(async () => {
    sqlite = await sqliteForTests();
    dataSource = await createDataSource(
      { type: 'sqlite', path: sqlite.path },
      { entities: [ServiceKeyEntity], migrations: databaseMigrations },
    ).initialize();
    await dataSource.runMigrations();
    returns = new ReturnAddressService(dataSource);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await sqlite.dispose();
  });

  /** A request for an origin, with a cookie header, and the cookies that its answer sets. */
  function exchange(origin = ORIGIN, cookie?: string) {
    const { host, protocol } = new URL(origin);
    const request = {
      protocol: protocol.slice(0, -1),
      host,
      rawHeaders: ['Host', host],
      url: '/',
      headers: { cookie },
    } as unknown as Request;
    const set: string[] = [];
    const response = {
      append: (_name: string, value: string) => set.push(value),
    } as unknown as Response;
    ownOriginMiddleware([origin])(request, response, () => undefined);
    return { request, response, set };
  }

  async function keep(path: string, origin = ORIGIN) {
    const { request, response, set } = exchange(origin);
    const isKept = await returns.keep(request, response, path);
    return { isKept, set: set.join(), cookie: set[0]?.split(';')[0] ?? '' };
  }

  async function take(cookie: string | undefined, origin = ORIGIN, service = returns) {
    const { request, response, set } = exchange(origin, cookie);
    return { address: await service.take(request, response), set: set.join() };
  }

  it('returns what it kept, on any replica, and forgets it', async () => {
    const { isKept, set, cookie } = await keep(PAGE);
    expect(isKept).toBe(true);
    expect(set).toMatch(
      /^__Host-return=[\w.-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const other = new ReturnAddressService(dataSource);
    const taken = await take(cookie, ORIGIN, other);
    expect(taken).toEqual({
      address: `${ORIGIN}${PAGE}`,
      set: '__Host-return=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    });
  });

  it('keeps no address of another site', async () => {
    expect(await keep('//evil.example')).toEqual({ isKept: false, set: '', cookie: '' });
  });

  it('keeps no address that is too long for a cookie, and forgets an earlier one', async () => {
    const { isKept, set } = await keep(`/?state=${'x'.repeat(4000)}`);
    expect({ isKept, set }).toEqual({
      isKept: true,
      set: '__Host-return=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    });
    expect((await keep(`/?state=${'x'.repeat(2800)}`)).cookie.length).toBeLessThan(4096);
  });

  it('is for an hour', async () => {
    const { cookie } = await keep(PAGE);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + HOUR_MS - 1000);
    expect((await take(cookie)).address).toBe(`${ORIGIN}${PAGE}`);
    clock.mockReturnValue(now + HOUR_MS);
    expect((await take(cookie)).address).toBeUndefined();
  });

  it('is for the origin that it was kept on', async () => {
    const { cookie } = await keep(PAGE);
    expect((await take(cookie, 'https://other.example')).address).toBeUndefined();
  });

  it.each<[string, (cookie: string) => string]>([
    ['no cookie', () => 'other=1'],
    ['the path alone', () => '__Host-return=/svc/account'],
    ['another path under the same MAC', (cookie) => cookie.replace(/\.[\w-]+\./, '.L3g.')],
    ['a later end under the same MAC', (cookie) => cookie.replace('=1', '=2')],
    ['another MAC', (cookie) => cookie.replace(/[\w-]{43}$/, 'A'.repeat(43))],
    ['no MAC', (cookie) => cookie.replace(/\.[\w-]{43}$/, '')],
    ['the cookie twice', (cookie) => `${cookie}; ${cookie}`],
    ['the name of a loopback address', (cookie) => cookie.replace('__Host-', '')],
    ['10,000 characters', () => `__Host-return=${'1.'.repeat(5000)}`],
  ])('ignores %s', async (_what, forge) => {
    const { cookie } = await keep(PAGE);
    expect((await take(forge(cookie))).address).toBeUndefined();
  });
});
