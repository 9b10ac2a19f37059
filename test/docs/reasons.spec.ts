import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { displayNameFault } from '#libs/accounts';
import { builtInPageLanguages } from '#libs/ui-templates';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

/** Reasons that no page shows verbatim: pages explain them by status, or never cause them. */
const UNTOLD =
  /^(body |permissions |calls of this resource|request too large|.*\$\{|invite has|an invite |cross-origin|this requires a recent sign-in|you are already|this passkey is not registered|this is your last|this code is wrong)|start again$|^displayName|^name /;

const sources = globSync(
  [
    'libs/{accounts,passkeys}/src/**/*.ts',
    'libs/oauth/src/connection/*.ts',
    'libs/oauth/src/approval/*.ts',
  ],
  { cwd: ROOT },
)
  // What ExternalSignIn throws is plain text at a route of a team's own.
  .filter((path) => !/\.(spec|contract)\.ts$|\/external-identity\//.test(path))
  .map(read)
  .join('\n');
const refusals = [
  ...sources.matchAll(/(?:new RefusalError|super)\(\s*(?:400|403|409|413),\s*['`]([^'`]+)['`]/g),
]
  .map(([, sentence = '']) => sentence.replaceAll('${MAX_CREDENTIALS_PER_USER}', '20'))
  .filter((sentence) => !UNTOLD.test(sentence));

const [, causes = ''] =
  /const REASONS[^]+?= \[([^]+?;\nconst NO_REASON.+?;\n)/.exec(
    read('libs/passkeys/src/ceremony.ts'),
  ) ?? [];
const verifications = [...causes.matchAll(/[,=]\s*'([^']+)'/g)].map(
  ([, reason]) => `the passkey could not be verified: ${reason}`,
);

/** Sentences of the administration alone. */
const OF_ADMINISTRATION = /^(?:there is no |an invite )/;

/** Every sentence with its status; what is filled in is `…`. */
const sentences = [
  ...sources.matchAll(/(?:new RefusalError|super)\(\s*(\d{3}),\s*(['`])([^'`]+)\2/g),
  // Of the rules of DTOs.
  ...sources.matchAll(/()@HeldTo\((')([^']+)'/g),
  ...sources.matchAll(/()\{ message: (')([^']+)'/g),
  ...sources.matchAll(/()(?:\n {4}message|\n +defaultMessage): (?:\(given\) => )?(`)([^`]+)`/g),
]
  .map(([, status = '', , sentence = '']) => [
    status || '400',
    sentence
      .replaceAll('${MAX_CREDENTIALS_PER_USER}', '20')
      .replaceAll('${MAX_INVITE_LENGTH}', '64')
      .replaceAll(
        '${given?.property} ${displayNameFault(given?.value)}',
        `displayName ${displayNameFault('')}`,
      )
      .replaceAll(/\$\{\w+\}/g, '…'),
  ])
  .filter(([, sentence = '']) => !OF_ADMINISTRATION.test(sentence))
  .map((row) => row.join(' '));

describe('docs/reference/http.md', () => {
  const [, page = ''] = read('docs/reference/http.md').split('\n## Reasons\n');

  it('has the reasons of all refusals of accounts, passkeys and connections, and no others', () => {
    const listed = [...page.matchAll(/^\| (\d{3}) +\| `(.+?)`/gm)].map(
      ([, status = '', sentence = '']) => `${status} ${sentence}`,
    );
    expect(listed.length).toBeGreaterThan(25);
    expect(listed.toSorted()).toEqual([...new Set(sentences)].toSorted());
  });

  it('has the reasons why a passkey could not be verified', () => {
    const listed = [...page.matchAll(/^- `(.+)`$/gm)].map(([, reason = '']) => reason);
    const said = verifications.map((sentence) => sentence.replace(/^.+?: /, ''));
    expect(listed.toSorted()).toEqual(said.toSorted());
  });
});

describe('what the service says in English, and pages show', () => {
  it.each(['de', 'he'])('has words in %s', (tag) => {
    const { reasons } = builtInPageLanguages.choose([tag]).texts.script;
    expect([refusals.length > 8, verifications.length > 8]).toEqual([true, true]);
    const missing = [...refusals, ...verifications].filter((one) => !Object.hasOwn(reasons, one));
    expect(missing).toEqual([]);
  });

  it.each(['', 'x'.repeat(41), 'Ann\u200b', '\u{e0001}', '\u0007', '\ud800'])(
    'has words for what is wrong with the name %j',
    (name) => {
      const sentence = displayNameFault(name).replace(
        /U\+[\dA-F]{4,6}(?: \([^)]+\))?, at position \d+/,
        '{character}, at position {position}',
      );
      for (const tag of ['de', 'he']) {
        const { reasons } = builtInPageLanguages.choose([tag]).texts.script;
        expect(Object.keys(reasons)).toContain(sentence);
      }
    },
  );
});
