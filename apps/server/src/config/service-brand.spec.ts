import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';

const LOGO = '<svg viewBox="0 0 9 2"><rect width="9" height="2" /></svg>';

describe('SERVICE_LOGO_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-logo-'));
  const fileWith = (content: string) => {
    const path = join(folder, 'logo.svg');
    writeFileSync(path, content);
    return path;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  const problemsWith = (path: string) => {
    try {
      readConfig({ SERVICE_LOGO_FILE: path });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };

  it('is read at start', () => {
    expect(readConfig({ SERVICE_LOGO_FILE: fileWith(`${LOGO}\n`) }).brand).toEqual({ logo: LOGO });
  });

  it.each([
    ['is not there', () => join(folder, 'none'), 'names a file that cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'does not name a file'],
    ['is empty', () => fileWith(' '), 'names a file that is empty'],
    ['is too large', () => fileWith(LOGO.padEnd(16_385)), 'names a file of more than 16384 bytes'],
    [
      'runs something',
      () => fileWith('<svg><script>alert(1)</script></svg>'),
      'names a file that has <script>, which a drawing does without',
    ],
    [
      'loads something',
      () => fileWith('<svg><use href="https://evil.example/#x" /></svg>'),
      'names a file that has href with a value that may refer to something else',
    ],
    ['is no drawing', () => fileWith('<p>logo</p>'), 'names a file that has <p>, which a drawing'],
  ])('stops the start when it %s', (_fault, path, words) => {
    expect(problemsWith(path())).toEqual([expect.stringContaining(`SERVICE_LOGO_FILE ${words}`)]);
  });
});
