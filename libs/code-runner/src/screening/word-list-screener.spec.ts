import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeContentScreener } from './content-screener.contract.js';
import { ACCEPTED_TEXT, REFUSED_TEXT } from './screened-texts.testbed.js';
import { WordListScreener } from './word-list-screener.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Files here contain words that are refused. */
const THIS_ROOM = relative(ROOT, import.meta.dirname) + sep;

describe('WordListScreener', () => {
  const screener = new WordListScreener();
  const screen = (text: string) => screener.screen({ userId: 'ann', app: 'Robot', text });

  describeContentScreener(() => screener, { accepted: ACCEPTED_TEXT, refused: REFUSED_TEXT });

  it('leaves a turn between two slices, also of many texts of an account at once', async () => {
    const [texts, slices] = [12, 4];
    const text = 'a '.repeat(1_024 * slices);
    const results: string[] = [];
    for (let n = 0; n < texts; n += 1) void screen(text).then((result) => results.push(result));
    let turns = 0;
    for (; results.length < texts; turns += 1) await nextTurn();
    expect(results).toEqual(Array.from({ length: texts }, () => 'accepted'));
    expect(turns).toBeGreaterThanOrEqual(texts * slices - 1);
  });

  it('finds it anywhere in the longest text', async () => {
    const filler = `${ACCEPTED_TEXT}\n`.repeat(1_800);
    await expect(screen(filler)).resolves.toBe('accepted');
    for (const text of [REFUSED_TEXT + filler, filler + REFUSED_TEXT]) {
      await expect(screen(text)).resolves.toBe('refused');
    }
  });

  it.each([
    'fuck you',
    'FUUUUCK',
    'fu(k',
    'motherfuckers',
    'wordsbeforefuckandafter',
    'ʃ𝐟ʃὗƈｋ ỹоứ',
    'what bullshit',
    'sh!t',
    'b1tches',
    'a$$hole',
    'const cunt = 1;',
    'n1ggers',
    '47ed2790-fuck-4bb0-9519-47ed2790bef8',
    'f@ggot',
    'retarded',
    'a rapist',
    'f\u200bu\u200dc\u{e0020}k you',
    's\u00adhit',
  ])('refuses %s', async (text) => {
    await expect(screen(text)).resolves.toBe('refused');
  });

  it.each([
    'assess the assorted assets of the class of Scunthorpe',
    'openIssue canUse hasHit bitCheck lineGroup bodyKey hookError orgYear cumsum',
    'if (key) f(k); of (keys); catch(k){d(k)} JSON.stringify(key); t||t.x; import "react-icons/fa6"',
    'alter table a add constraint FK_a foreign key (fk) references b',
    'ann@localhost, susan@live.com, ian@lab.example',
    '#a55 #f46 455 717 T17 45s',
    'f46ac10b-58cc-a55e-a567-b00b02b2c3d4',
    '{"id":"9aebbb6b-aa55-4b5e-b00b-24b33af3aa59"}, AAEC22C3-A4B0-4BB0-ABB0-C83A5EDD5767',
    'a cockpit, a cocktail, an analgesic, an analysis, an arsenal, cumin, a therapist, grapes',
    'Georgy Dickens and Emily Dickinson read Hancock; tanggal hingga; slutte med',
    'sex: f',
    '漢字かな交じり文 здравствуйте',
    `data:image/png;base64,${Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * i) % 251)).toString('base64')}`,
    // The first slice ends behind “Fü”.
    `${'a '.repeat(1_055)}Für den Tag`,
  ])('accepts %s', async (text) => {
    await expect(screen(text)).resolves.toBe('accepted');
  });

  it('accepts ordinary programs and manuals', async () => {
    const files = [
      ...globSync('{apps,libs,bench,bin}/**/*.{ts,mjs}', { cwd: ROOT }),
      ...globSync('{docs/**/*,*}.md', { cwd: ROOT }),
      ...globSync('node_modules/{express,ws,rxjs,ajv}/{README.md,lib/**/*.js,dist/*.js}', {
        cwd: ROOT,
      }),
    ].filter((file) => !file.startsWith(THIS_ROOM));
    expect(files.length).toBeGreaterThan(200);
    const refused: string[] = [];
    for (const file of files) {
      const text = readFileSync(`${ROOT}/${file}`, 'utf8').slice(0, 65_536);
      if ((await screen(text)) === 'refused') refused.push(file);
    }
    expect(refused).toEqual([]);
  });

  it('finds a word wherever a long text is cut', async () => {
    for (let before = 2_030; before <= 2_060; before += 1) {
      await expect(screen(`${'x '.repeat(before / 2)}. shitty.`)).resolves.toBe('refused');
    }
  });

  it('takes nothing for a word that begins or ends at a cut only', async () => {
    for (let before = 2_030; before <= 2_060; before += 1) {
      const text = `${' '.repeat(before)}this.hasHit assemble`;
      await expect(screen(text)).resolves.toBe('accepted');
    }
  });
});
