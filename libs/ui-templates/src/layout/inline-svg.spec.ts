import { BrandError } from './brand.error.js';
import { inlineSvg } from './inline-svg.js';

const inside = (markup: string) => `<svg viewBox="0 0 9 9">${markup}</svg>`;

describe('inline SVG', () => {
  it.each([
    '<svg/>',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink='http://www.w3.org/1999/xlink' />`,
    inside('<path d="M0 0L9 9" fill="none" stroke-width=\'2\'/>\n<g id="a"><circle r="1" /></g>'),
    inside(
      '<defs><linearGradient id="x-1"><stop offset="0" stop-color="rgb(1, 2, 3)"/></linearGradient></defs><rect fill="url(#x-1)" transform="translate(1 2) rotate(4)"/>',
    ),
    inside('<symbol id="s"><rect /></symbol><use href="#s" /><use xlink:href="#s" />'),
    inside('<title>Acme &amp; sons</title><text xml:space="preserve">A <tspan>b</tspan></text>'),
  ])('draws: %s', (svg) => {
    expect(String(inlineSvg(` ${svg}\n`))).toBe(svg);
  });

  it.each([
    ['a script', inside('<script>alert(1)</script>')],
    ['a script in capitals', inside('<SCRIPT></SCRIPT>')],
    ['HTML inside', inside('<foreignObject><img /></foreignObject>')],
    ['HTML in a title, where a browser would read it as such', inside('<title><g /></title>')],
    ['an image', inside('<image href="#a" />')],
    ['an image of a filter', inside('<filter><feImage href="#a" /></filter>')],
    ['an element that ends the drawing', inside('<p></p>')],
    ['a style element', inside('<style></style>')],
    ['a link', inside('<a href="#a"></a>')],
    ['what moves', inside('<animate attributeName="href" to="javascript:alert(1)" />')],
    ['what is set later', inside('<set attributeName="onload" to="alert(1)" />')],
    ['a handler', '<svg onload="alert(1)" />'],
    ['a handler in capitals', '<svg ONLOAD="alert(1)" />'],
    ['a handler that calls nothing', '<svg onload="location = name" />'],
    ['a handler without quotes', '<svg onload=alert(1) />'],
    ['a handler after a slash', '<svg/onload="alert(1)" />'],
    ['a handler in quotes that are none to a browser', '<svg id=\u00a0"a onload=alert`1` " />'],
    ['a handler in a value that is none to a browser', '<svg\u2003id="a onload=alert`1` " />'],
    ['space that is none to a browser', '<svg id="a"\ufeff/>'],
    ['a style', '<svg style="fill: red" />'],
    ['a reference to elsewhere', inside('<use href="https://evil.example/a.svg#x" />')],
    ['a reference that is a script', inside('<use xlink:href="javascript:alert(1)" />')],
    ['a reference of characters by number', inside('<use href="&#35;x" />')],
    ['data', inside('<use href="data:image/svg+xml,x#y" />')],
    ['a paint from elsewhere', inside('<rect fill="url(https://evil.example/#x)" />')],
    ['a paint in quotes', inside(`<rect fill="url('//evil.example/#x')" />`)],
    ['a paint in capitals', inside('<rect fill="URL(//evil.example/#x)" />')],
    ['a paint with an escape', inside(String.raw`<rect fill="\75rl(//evil.example)" />`)],
    ['a paint with a character by number', inside('<rect fill="&#117;rl(//evil.example)" />')],
    ['an image of CSS', inside('<rect fill="image-set(//evil.example)" />')],
    ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml" />'],
    ['base', inside('<rect xml:base="https://evil.example" />')],
    ['an entity of its own', '<!DOCTYPE svg [<!ENTITY x "y">]><svg />'],
    ['an instruction', '<?xml-stylesheet href="x"?><svg />'],
    ['a comment', '<svg><!-- --></svg>'],
    ['CDATA', inside('<text><![CDATA[<script>]]></text>')],
    ['two drawings', '<svg /><svg />'],
    ['something after it', '<svg /><script>alert(1)</script>'],
    ['text after it', '<svg />x'],
    ['text beside shapes', inside('x')],
    ['another element', '<g />'],
    ['no end', '<svg><g></g>'],
    ['ends that cross', '<svg><g></svg></g>'],
    ['an end alone', '</svg>'],
    ['nothing', ''],
    ['a bracket in a value', '<svg class="a>b" />'],
    ['too much', inside('<g />'.repeat(8000))],
  ])('refuses %s', (_what, svg) => {
    expect(() => inlineSvg(svg)).toThrow(BrandError);
  });

  it('says in one line what is wrong', () => {
    expect(() => inlineSvg(inside('<script />'))).toThrow(
      'has <script>, which a drawing does without',
    );
    expect(() => inlineSvg('<svg><!--')).toThrow(
      'has what is neither element nor text at character 6',
    );
  });

  it('takes no time over what is long and wrong', () => {
    const began = performance.now();
    for (const part of [' a="b"', '<g', ' ', '"', '</svg']) {
      expect(() => inlineSvg(`<svg${part.repeat(5000)}`)).toThrow(BrandError);
    }
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
