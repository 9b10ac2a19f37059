import { signInPage } from '../pages/sign-in-page.js';

const context = {
  serviceName: 'Acme',
  app: { name: 'Robot', published: null },
  redirect: { uri: 'https://app.example/cb' },
  extraFormActions: [],
  origin: 'https://gate.example',
};

describe('a brand', () => {
  it('has its style after the built-in one and its emblem in place of ours', () => {
    const brand = { style: ':root { --accent: #b00020; }', emblem: '<svg id="acme"></svg>' };
    const { html } = signInPage({ ...context, brand });
    const [style = ''] = /<style[^]*?<\/style>/.exec(html) ?? [];
    expect(style.lastIndexOf('--accent:')).toBe(style.indexOf(':root { --accent: #b00020; }') + 8);
    expect(html).toContain('<header><svg id="acme"></svg>');
    expect(html).not.toContain('viewBox');
  });

  it('cannot end the style element', () => {
    const brand = { style: '</style><script>alert(1)</script>' };
    expect(() => signInPage({ ...context, brand })).toThrow(TypeError);
  });
});
