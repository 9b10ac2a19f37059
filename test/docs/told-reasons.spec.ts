import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { displayNameFault } from '#libs/accounts';
import { builtInPageLanguages } from '#libs/ui-templates';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

/** Reasons that no page shows verbatim: pages explain them by status, or never cause them. */
const UNTOLD =
  /^(body |request too large|.*\$\{|invite has|an invite |cross-origin|this requires a recent sign-in|you are already|this passkey is not registered|this is your last|this code is wrong)|start again$|^displayName|^name /;

const sources = globSync('libs/{accounts,passkeys}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.(spec|contract)\.ts$/.test(path))
  .map(read)
  .join('\n');
const refusals = [
  ...sources.matchAll(/new RefusalError\(\s*(?:400|403|409|413),\s*['`]([^'`]+)['`]/g),
]
  .map(([, sentence = '']) => sentence.replaceAll('${MAX_CREDENTIALS_PER_USER}', '20'))
  .filter((sentence) => !UNTOLD.test(sentence));

const [, causes = ''] =
  /const REASONS[^]+?= \[([^]+?);\nconst/.exec(read('libs/passkeys/src/ceremony.ts')) ?? [];
const verifications = [...causes.matchAll(/,\s*'([^']+)'/g)].map(
  ([, reason]) => `the passkey could not be verified: ${reason}`,
);

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
