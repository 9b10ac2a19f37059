import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSigningKey, signingKeysText } from '#libs/oauth';
import { ConfigError, readConfig } from './config.js';

describe('SIGNING_KEYS_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'));
  const path = join(folder, 'keys.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  function problemsOf(content: string, file = path) {
    writeFileSync(path, content);
    try {
      readConfig({ SIGNING_KEYS_FILE: file });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  }

  it('takes what a rotation writes', async () => {
    const key = await generateSigningKey('ES256');
    expect(problemsOf(signingKeysText([{ ...key, signsFrom: 1 }]))).toEqual([]);
  });

  it('is told of where others may read it', async () => {
    const key = await generateSigningKey('ES256');
    writeFileSync(path, signingKeysText([{ ...key, signsFrom: 1 }]));
    chmodSync(path, 0o640);
    expect(readConfig({ SIGNING_KEYS_FILE: path }).exposed).toEqual([
      'SIGNING_KEYS_FILE names a file that others may read or change (mode 640)',
    ]);
  });

  it.each([
    ['no JSON', '{', 'SIGNING_KEYS_FILE names a file that is not a JSON Web Key Set'],
    ['no keys', '{"keys":[]}', 'SIGNING_KEYS_FILE names a file that does not have 1 to 20 keys'],
    ['nothing', '', 'SIGNING_KEYS_FILE names a file that is empty'],
    [
      'another key',
      '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}',
      expect.stringMatching(/^SIGNING_KEYS_FILE names a file whose key 1 does not have [^{}]+$/),
    ],
  ])(
    'is refused with %s, in one sentence that repeats nothing of it',
    (_what, content, problem) => {
      expect(problemsOf(content)).toEqual([problem]);
    },
  );

  it('is refused where it cannot be read', () => {
    expect(problemsOf('', join(folder, 'missing.json'))).toEqual([
      'SIGNING_KEYS_FILE names a file that cannot be read (ENOENT)',
    ]);
  });
});
