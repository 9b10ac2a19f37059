import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';

const DOCUMENT = new URL('../../../../docs/reference/administration.md', import.meta.url);
const TOKEN = 'correct-horse/battery+staple_0123==';
const ONE = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const entry = { name: 'help desk', role: 'support', sha256: [ONE] };
const sha256 = (text: string) => hash('sha256', text, 'hex');
/** What a library that copies objects may stumble over. */
const UNUSUAL = [
  '5',
  'true',
  '[[]]',
  '{"__proto__":null}',
  '{"constructor":null}',
  '{"constructor":{"prototype":null}}',
  '{"name":{"toString":1,"valueOf":null},"role":{"length":-1},"sha256":{"length":4294967296}}',
  '{"then":1,"toJSON":1,"hasOwnProperty":1}',
  '{"name":[[[]]],"role":[null],"sha256":[{"toString":null}]}',
];
const nested = (levels: number) => `{"name":${'{"name":'.repeat(levels)}1${'}'.repeat(levels)}}`;
const ENTRY = expect.stringMatching(
  /^ADMIN_TOKENS_FILE names a file in whose entry 1 (?:there is no object|there is a member that does not exist; remove it|(?:name|role|sha256) takes .+)$/,
) as string;

describe('ADMIN_TOKENS_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tokens-'));
  const path = join(folder, 'tokens.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  function problemsOf(content: unknown, variables: Record<string, string> = {}) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    try {
      readConfig({ MANAGEMENT_PORT: '9090', ADMIN_TOKENS_FILE: path, ...variables });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  }

  it.each([
    ['an empty list', []],
    ['one', [entry]],
    ['one whose token is replaced', [{ ...entry, sha256: [ONE, OTHER] }]],
    ['two', [entry, { name: 'Ops \u2116 7', role: 'admin', sha256: [OTHER] }]],
  ])('takes %s', (_what, content) => {
    expect(problemsOf(content, { ADMIN_TOKEN: TOKEN })).toEqual([]);
  });

  it('takes what docs/reference/administration.md shows', () => {
    const [, example] = /```json\n([^]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
    expect(problemsOf(example)).toEqual([]);
    expect(problemsOf(`${example}]`)).toHaveLength(1);
  });

  it.each(['sh', 'bash'])(
    'the documented command makes a hash, and none of nothing: %s',
    (shell) => {
      const [, command = ''] =
        /```sh\n(.+sha256sum)\n```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
      const run = (env: NodeJS.ProcessEnv) =>
        spawnSync(shell, ['-c', command], { env: { PATH: process.env['PATH'], ...env } });
      expect(run({ TOKEN }).stdout.toString()).toBe(`${sha256(TOKEN)}  -\n`);
      for (const env of [{}, { TOKEN: '' }]) {
        const { status, stdout } = run(env);
        expect([status === 0, stdout.toString()]).toEqual([false, '']);
      }
    },
  );

  it.each([
    ['no JSON', '[', 'ADMIN_TOKENS_FILE names a file that is not a JSON list'],
    ['no list', entry, 'ADMIN_TOKENS_FILE names a file that is not a JSON list'],
    ['nothing', '', 'ADMIN_TOKENS_FILE names a file that is empty'],
    ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, `[${nested(6000)}]`].map(
      (text): [string, unknown, string] => [
        `${text.length} bytes that are nested deep`,
        text,
        'ADMIN_TOKENS_FILE names a file that is nested more than 32 levels deep',
      ],
    ),
    ['null', [null], ENTRY],
    ['a text', ['help desk'], ENTRY],
    ['a list', [[]], ENTRY],
    ['no name', [{ ...entry, name: undefined }], ENTRY],
    ['an invisible name', [{ ...entry, name: 'help\u200Bdesk' }], ENTRY],
    ['several names', [{ ...entry, name: ['a', 'b'] }], ENTRY],
    ['a long name', [{ ...entry, name: 'x'.repeat(65) }], ENTRY],
    ['another role', [{ ...entry, role: 'owner' }], ENTRY],
    ['no hash', [{ ...entry, sha256: [] }], ENTRY],
    ['three hashes', [{ ...entry, sha256: [ONE, OTHER, 'c'.repeat(64)] }], ENTRY],
    ['a hash alone', [{ ...entry, sha256: ONE }], ENTRY],
    ['a hash in capitals', [{ ...entry, sha256: ['A'.repeat(64)] }], ENTRY],
    ['a token', [{ ...entry, sha256: [TOKEN] }], ENTRY],
    ['the hash of nothing', [{ ...entry, sha256: [sha256('')] }], ENTRY],
    ['the hash of a line break', [{ ...entry, sha256: [ONE, sha256('\n')] }], ENTRY],
    ['the hash of another line break', [{ ...entry, sha256: [sha256('\r\n')] }], ENTRY],
    ['another member', [{ ...entry, token: TOKEN }], ENTRY],
    ...UNUSUAL.map((text): [string, unknown, string] => [text, `[${text}]`, ENTRY]),
    [
      'one name twice',
      [entry, { ...entry, sha256: [OTHER] }],
      'ADMIN_TOKENS_FILE has one name twice',
    ],
    [
      'one hash twice',
      [entry, { ...entry, name: 'other', sha256: [OTHER, ONE] }],
      'ADMIN_TOKENS_FILE has one sha256 twice',
    ],
    [
      'one hash for both',
      [{ ...entry, sha256: [ONE, ONE] }],
      'ADMIN_TOKENS_FILE has one sha256 twice',
    ],
    [
      'the name of ADMIN_TOKEN',
      [{ ...entry, name: 'admin-api' }],
      'ADMIN_TOKENS_FILE has one name twice',
    ],
    [
      'the hash of ADMIN_TOKEN',
      [{ ...entry, sha256: [sha256(TOKEN)] }],
      'ADMIN_TOKENS_FILE has one sha256 twice',
    ],
  ])('refuses %s', (_what, content, problem) => {
    const problems = problemsOf(content, { ADMIN_TOKEN: TOKEN });
    expect(problems).toEqual([problem]);
    expect(problems.join('')).not.toContain(TOKEN);
  });

  it('refuses a file that cannot be read, and takes effect with MANAGEMENT_PORT only', () => {
    expect(problemsOf([], { ADMIN_TOKENS_FILE: join(folder, 'none') })).toEqual([
      'ADMIN_TOKENS_FILE names a file that cannot be read (ENOENT)',
    ]);
    expect(problemsOf([], { MANAGEMENT_PORT: '' })).toEqual([
      'ADMIN_TOKENS_FILE takes effect with MANAGEMENT_PORT only; set that too',
    ]);
  });
});
