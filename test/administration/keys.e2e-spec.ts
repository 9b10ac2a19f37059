import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminAnswer, runAdminHere } from '../support/admin.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import type { ListedKey } from '../support/resource-files.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const ONE_LINE = /^[^\n]+\n$/;

describe('gatehouse admin keys rotate (contract: Administration)', () => {
  let folder: string;
  let file: string;

  const rotate = (...args: string[]) =>
    runAdminHere({ SIGNING_KEYS_FILE: file }, 'keys', 'rotate', ...args);
  const keysIn = (path: string) =>
    (JSON.parse(readFileSync(path, 'utf8')) as { keys: ListedKey[] }).keys;
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const expectRefused = ({ code, stdout, stderr }: AdminAnswer, reason: string | RegExp) => {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toMatch(reason);
  };
  const now = () => Math.floor(Date.now() / 1000);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
    file = join(folder, 'keys.json');
  });
  afterEach(() => {
    restoreClock();
    rmSync(folder, { recursive: true });
  });

  it('makes the file with a first key, which signs at once, without a service or a database', async () => {
    const before = now();
    const { code, stdout, stderr } = await rotate('--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [key, ...others] = keysIn(file);
    expect(others).toEqual([]);
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(key?.signsFrom).toBeGreaterThanOrEqual(before);
    expect(key?.signsFrom).toBeLessThanOrEqual(now());
    expect(modeOf(file)).toBe('600');
    expect(JSON.parse(stdout)).toEqual({
      kid: key?.kid,
      alg: 'ES256',
      signsFrom: new Date((key?.signsFrom ?? 0) * 1000).toISOString(),
      keys: 1,
      file,
    });
  });

  it('adds a key that signs in an hour; the one before stays until a day after its last token', async () => {
    await rotate('--alg', 'EdDSA');
    const [first] = keysIn(file);
    advanceClock(DAY * 1000);
    chmodSync(file, 0o644);
    const { code, stdout } = await rotate('--alg', 'ES256');
    expect(code).toBe(0);
    const [old, added] = keysIn(file);
    expect(old).toEqual({ ...first, retireAfter: Number(added?.signsFrom) + 600 + DAY });
    expect(added?.alg).toBe('ES256');
    expect(Math.abs(Number(added?.signsFrom) - now() - HOUR)).toBeLessThan(60);
    expect(stdout).toBe(
      `New key ${added?.kid} (ES256) in ${file}: it signs from ${new Date(Number(added?.signsFrom) * 1000).toISOString()}.\n`,
    );
    expect(modeOf(file)).toBe('600');
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  it('makes a key of the kind of the last one, and drops one that has retired', async () => {
    await rotate('--alg', 'EdDSA');
    await rotate();
    const before = keysIn(file);
    expect(before.map(({ alg }) => alg)).toEqual(['EdDSA', 'EdDSA']);
    advanceClock(2 * DAY * 1000);
    await rotate();
    expect(
      keysIn(file)
        .map(({ kid }) => kid)
        .slice(0, -1),
    ).toEqual([before[1]?.kid]);
  });

  it('prints no private key', async () => {
    const { stdout } = await rotate('--json');
    const [key] = keysIn(file);
    expect(stdout).not.toContain(String(key?.['d']));
  });

  it('--out leaves the file as it is and writes the other one', async () => {
    await rotate();
    const text = readFileSync(file, 'utf8');
    const out = join(folder, 'next.json');
    expect((await rotate('--out', out)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(keysIn(out)).toHaveLength(2);
    expect(modeOf(out)).toBe('600');
  });

  it('of several at once, those that are not refused each add one key', async () => {
    await rotate();
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate()));
    const done = answers.filter(({ code }) => code === 0);
    for (const answer of answers) {
      if (answer.code !== 0) expectRefused(answer, 'keys.json.next is there: another rotation');
    }
    expect(done.length).toBeGreaterThan(0);
    expect(keysIn(file)).toHaveLength(1 + done.length);
  });

  it.each([
    ['no JSON', '{', 'SIGNING_KEYS_FILE names a file that is not a JSON Web Key Set'],
    ['nothing', '', 'SIGNING_KEYS_FILE names a file that is empty'],
    ['no keys', '{"keys":[]}', 'that does not have 1 to 20 keys'],
    ['a public key', '{"keys":[{"kty":"EC"}]}', 'whose key 1 does not have a kid'],
  ])('refuses a file with %s, and leaves it as it is', async (_what, text, reason) => {
    writeFileSync(file, text);
    expectRefused(await rotate(), reason);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  it('refuses to make more than 20 keys', async () => {
    for (let count = 1; count <= 20; count += 1) expect((await rotate()).code).toBe(0);
    expectRefused(await rotate(), 'that does not have 1 to 20 keys');
    expect(keysIn(file)).toHaveLength(20);
  });

  it('says where it cannot write', async () => {
    const out = join(folder, 'missing', 'keys.json');
    expectRefused(
      await rotate('--out', out),
      'cannot be written (ENOENT); name another file with --out',
    );
  });

  it('says which variable it needs', async () => {
    expectRefused(await runAdminHere({}, 'keys', 'rotate'), 'set SIGNING_KEYS_FILE');
  });

  it('refuses an algorithm that is not one', async () => {
    expectRefused(await rotate('--alg', 'HS256'), '--alg');
    expect(readdirSync(folder)).toEqual([]);
  });
});
