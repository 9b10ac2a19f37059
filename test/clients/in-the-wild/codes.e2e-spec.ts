import { Browser } from '../../support/browser.js';
import { startGatehouse, useGatehouse } from '../../support/gatehouse.js';
import { createInvite } from '../../support/invite.js';

const FULL_WIDTH = 0xfee0;

/** What people and their programs make of a code before it arrives. */
const SPELLINGS: [string, (code: string) => string][] = [
  ['a chat: a zero-width space behind it', (code) => `${code}\u200b`],
  [
    'a web page: a zero-width space and a soft hyphen in it',
    (code) => code.replace('-', '\u200b-\u00ad'),
  ],
  [
    'a Japanese keyboard: full-width',
    (code) =>
      code.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + FULL_WIDTH)),
  ],
  ['a message: in quotes', (code) => `“${code}”`],
  ['a sentence: a full stop behind it', (code) => `${code}.`],
  ['a word processor: its dashes', (code) => code.replaceAll('-', '—')],
  ['a right-to-left text: marks of direction', (code) => `\u200e${code}\u200f`],
  ['a spreadsheet: an apostrophe before it', (code) => `'${code}`],
  ['a chat: as code', (code) => `\`${code}\``],
  ['a phone: small letters and spaces', (code) => code.toLowerCase().replaceAll('-', ' ')],
];

describe('codes as people send them (contract: What is forgiven)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SIGN_UP: 'invite' }));

  const signUp = async (spelt = (code: string) => code) => {
    const browser = new Browser(gatehouse);
    const { code } = await createInvite(gatehouse);
    const { status } = await browser.signUp('Ann', { invite: spelt(code) });
    return { browser, status };
  };
  const recover = async (code: unknown) =>
    (await new Browser(gatehouse).post('/svc/recovery', { code })).status;

  it.each(SPELLINGS)('an invitation code from %s', async (_from, spelt) => {
    expect((await signUp(spelt)).status).toBe(200);
  });

  it.each(SPELLINGS)('a recovery code from %s: once', async (_from, spelt) => {
    const { browser } = await signUp();
    const { codes } = (await browser.post('/svc/me/recovery-codes', {})).json<{
      codes: [string, string];
    }>();
    expect(await recover(spelt(codes[0]))).toBe(200);
    expect(await recover(codes[0])).toBe(400);
    expect(await recover(codes[1])).toBe(200);
  });

  it.each<[string, unknown]>([
    ['nothing but what is forgiven', '\u200b“.”'],
    ['a list', ['7Q2M']],
    ['thousands of marks that NFKC would sort', 'a' + '\u0301\u0323'.repeat(3_500)],
  ])('a recovery code that is %s: 400', async (_what, code) => {
    expect(await recover(code)).toBe(400);
  });
});
