import { builtInAccountTexts } from '#libs/ui-templates';
import type { Extension } from '#server';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { signedUp } from './own-account.js';

const PAGE = '/svc/account';
const RECOVER = '/svc/account/recover';

/** A team's own texts. */
const ours: Extension = {
  gatehouse: 1,
  texts: [{ locale: 'de', account: { page: { title: 'Mein Konto bei Acme' } } }],
};

describe('languages of the account page (contract: Account page)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({}, undefined, [ours]));
  let ann: Browser;
  let visitor: Browser;

  beforeAll(async () => {
    [ann, visitor] = [await signedUp(gatehouse, 'Ann'), new Browser(gatehouse)];
  });

  const html = (lang: string, dir: string) => `<html lang="${lang}" dir="${dir}">`;
  const wanting = (language: string) => ({ 'accept-language': language });

  it.each([
    ['of a region', 'de-AT,de;q=0.9', 'de', 'ltr'],
    ['from right to left', 'he', 'he', 'rtl'],
    ['rubbish', '*;q=1,,;;=(', 'en', 'ltr'],
  ])('Accept-Language: %s', async (_what, accepted, tag, direction) => {
    const { texts } = builtInAccountTexts.choose([tag]);
    const account = await ann.get(PAGE, wanting(accepted));
    expect(account.text).toContain(html(tag, direction));
    expect(account.text).toContain(texts.passkeys.addHint);
    expect(scriptTextsIn(account.text)['activity']).toEqual(texts.activity.script);
    const signedOut = await visitor.get(PAGE, wanting(accepted));
    expect(signedOut.text).toContain(html(tag, direction));
    expect(signedOut.text).toContain(texts.signedOut.lostHeading);
    const recover = await visitor.get(RECOVER, wanting(accepted));
    expect(recover.text).toContain(html(tag, direction));
    expect(recover.text).toContain(texts.recover.noneHeading);
  });

  it('ui_locales comes first', async () => {
    const { text } = await ann.get(`${PAGE}?ui_locales=xx%20he-IL%20de`, wanting('de'));
    expect(text).toContain(html('he', 'rtl'));
  });

  it('a team changes one sentence, and the others stay', async () => {
    const { text } = await ann.get(PAGE, wanting('de'));
    expect(text).toContain('<title>Mein Konto bei Acme');
    expect(text).toContain(builtInAccountTexts.choose(['de']).texts.page.signOut);
  });

  it('is in the language that is configured, whatever the browser says', async () => {
    const alone = await startGatehouse({ LOCALES: 'he' });
    const { text } = await new Browser(alone).get(PAGE, wanting('de'));
    await alone.stop();
    expect(text).toContain(html('he', 'rtl'));
  });

  it('refusals are in English', async () => {
    const { status, text } = await visitor.get('/svc/me/passkeys', wanting('de'));
    expect([status, text]).toEqual([401, '{"error":"sign in first"}']);
  });
});

function scriptTextsIn(page: string) {
  const [, json = '{}'] =
    /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(page) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}
