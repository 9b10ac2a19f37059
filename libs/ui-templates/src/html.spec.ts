import { bdi, breakable, fill, Html, html, oncePer } from './html.js';

const HOSTILE = `<img src=x onerror="alert('&')">`;
const ESCAPED = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;';

describe('html', () => {
  it.each([
    ['a string', HOSTILE, ESCAPED],
    ['a number', 7, '7'],
    ['a nested fragment', html`<b>${HOSTILE}</b>`, `<b>${ESCAPED}</b>`],
    ['an array', [HOSTILE, html`<br />`, ['&']], `${ESCAPED}<br />&amp;`],
    ['nothing', [], ''],
    ['typographic marks', '‘it’ – “is”…', '&#8216;it&#8217; &#8211; &#8220;is&#8221;&#8230;'],
    ['other letters', 'Ærøskøbing Łódź 東京', 'Ærøskøbing Łódź 東京'],
    ['a trusted constant', Html.trusted('a > b'), 'a > b'],
  ])('%s', (_kind, given, shown) => {
    expect(String(html`<p>${given}</p>`)).toBe(`<p>${shown}</p>`);
  });

  it('keeps a quoted attribute value inside its quotes', () => {
    expect(String(html`<i title="${'" autofocus onfocus="x'}"></i>`)).toBe(
      '<i title="&quot; autofocus onfocus=&quot;x"></i>',
    );
  });

  it('does not take a look-alike for markup', () => {
    const lookAlike = { toString: () => HOSTILE, map: () => [HOSTILE] };
    expect(String(html`${lookAlike as never}`)).not.toContain(
      '<img src=x onerror="alert(\'&\')">x',
    );
    expect(() => String(html`${{ toString: () => HOSTILE } as never}`)).toThrow(TypeError);
  });
});

describe('fill', () => {
  it('puts values in and escapes text and values', () => {
    expect(String(fill('Is <{app}> {app}?', { app: html`<bdi>${'<b>'}</bdi>` }))).toBe(
      'Is &lt;<bdi>&lt;b&gt;</bdi>&gt; <bdi>&lt;b&gt;</bdi>?',
    );
  });

  it('does not look for placeholders in a value', () => {
    expect(String(fill('{app} {host}', { app: '{host}', host: 'h' }))).toBe('{host} h');
  });

  it('throws when a value is missing', () => {
    expect(() => fill('{app}', {})).toThrow('no value for {app}');
  });
});

it('words of other people are isolated, and escaped', () => {
  expect(String(bdi(HOSTILE))).toBe(`<bdi>${ESCAPED}</bdi>`);
});

it('a host may be broken after each dot, and is escaped', () => {
  expect(String(html`${breakable('a.b&.example')}`)).toBe('a.<wbr />b&amp;.<wbr />example');
});

it('what is made once per key is another thing for another key', () => {
  const made = oncePer((key: { name: string }) => ({ of: key.name }));
  const [ann, bob] = [{ name: 'ann' }, { name: 'bob' }];
  expect([made(ann), made(bob)]).toEqual([{ of: 'ann' }, { of: 'bob' }]);
  expect(made(ann)).toBe(made(ann));
});
