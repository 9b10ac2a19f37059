import { type ConsentContext, consentPage } from './consent-page.js';

const scope = (name: string, requested: boolean, checked = requested) => ({
  name,
  description: `do ${name}`,
  requested,
  checked,
});
const context: ConsentContext = {
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: 'notes.example' },
  redirect: { uri: 'http://[::1]:4711/callback' },
  extraFormActions: ['claude:'],
  origin: 'https://gate.example',
  userName: 'Ann',
  handle: 'h'.repeat(43),
  scopes: [scope('account:read', true), scope('code:run', false)],
};
const shown = (changes: Partial<ConsentContext> = {}) => {
  const { html } = consentPage({ ...context, ...changes });
  return html.slice(html.indexOf('<header>'), html.indexOf('<script'));
};

describe('consent page', () => {
  it('is a form that posts the handle', () => {
    expect(shown()).toMatch(/<form[^>]* method="POST"/);
    expect(shown()).toMatch(/<input type="hidden" name="handle" value="h{43}"/);
  });

  it('has one checkbox per scope, ticked as told and marked in words', () => {
    const rows = shown().match(/<label class="scope">[^]*?<\/label>/g);
    expect(rows).toEqual([
      expect.stringMatching(
        /name="scope" value="account:read"\s+checked[^]*do account:read[^]*<code>account:read<\/code><\/span/,
      ),
      expect.stringMatching(
        /name="scope" value="code:run"\s*\/?>[^]*do code:run[^]*· not requested/,
      ),
    ]);
  });

  it('offers to be asked each time about what changes something, unticked, on this service alone', () => {
    const scopes = [scope('account:read', true), { ...scope('code:run', true), writes: true }];
    const markup = shown({ scopes });
    expect(markup.match(/name="ask"[^>]*>/g)).toEqual([
      'name="ask" value="code:run" aria-describedby="scope-1" />',
    ]);
    expect(markup).toContain('id="scope-1" class="description">do code:run<');
    const resource = { name: 'Lists', resource: 'https://lists.example/mcp' };
    expect(shown({ scopes, resource })).not.toContain('name="ask"');
    expect(shown()).not.toContain('name="ask"');
  });

  it('has presets for its script alone, where there is more than one scope', () => {
    expect(shown()).toMatch(/<div id="presets" role="group" aria-label="[^"]+" hidden>/);
    expect(shown().match(/<button type="button" data-preset="\w+">/g)).toHaveLength(3);
    expect(shown({ scopes: [scope('account:read', true)] })).not.toContain('presets');
  });

  it('names the resource before its scopes, where it is not this service', () => {
    const resource = { name: 'Lists <1>', resource: 'https://lists.example/mcp' };
    const [before = '', form = ''] = shown({ resource }).split('<fieldset>');
    expect(before).toContain(
      '<p id="resource">It asks for access to <strong><bdi>Lists &lt;1&gt;</bdi></strong>: <code dir="ltr">https://lists.<wbr />example/mcp</code></p>',
    );
    expect(form).not.toContain('Lists');
    expect(shown({ resource: undefined })).toBe(shown());
    expect(shown()).not.toContain('id="resource"');
  });

  it.each([
    [undefined, 'after 30 days without use.'],
    [1, 'expires 1 day from now.'],
    [30, 'expires 30 days from now.'],
    [365, 'after 30 days without use, or 365 days from now at the latest.'],
  ])('with %s days to live it says when access ends', (accessDays, words) => {
    expect(shown({ accessDays })).toContain(words);
  });

  it('says where to disconnect the app again, where there is a page for it', () => {
    const link = '<a href="/svc/account#apps">your account page</a>';
    expect(shown({ accountPage: '/svc/account#apps' })).toContain(`at any time on ${link}.`);
    expect(shown()).not.toContain('your account page');
  });

  it('says so when the app did not ask for anything', () => {
    const text = shown({ scopes: [scope('account:read', false, true)] });
    expect(text).toContain('ask for specific permissions');
    expect(text).toMatch(/value="account:read"\s+checked/);
    expect(text).not.toContain('· not requested');
  });

  it.each([
    ['cursor://anysphere.cursor-mcp/callback', true],
    ['http://127.0.0.1:4711/callback', false],
    ['https://notes.example/callback', false],
  ])('the way back to %s: opens an app %s', (uri, opens) => {
    expect(shown({ redirect: { uri } }).includes('data-opens-app')).toBe(opens);
  });

  it('warns of loopback in one line, and says why in details to open', () => {
    const warning = /<details id="loopback"[^]*<\/details>/.exec(shown())?.[0] ?? '';
    const [line = '', reasons = ''] = warning.split('</summary>');
    expect(line).toContain('Continue only if you started this yourself');
    expect(line).toMatch(/Why\?<\/span>$/);
    expect(reasons).toContain('[::1]:4711');
  });

  it('denies with the first button, which is the one that Enter presses', () => {
    const values = [...shown().matchAll(/type="submit" name="decision" value="(\w+)"/g)];
    expect(values.map(([, value]) => value)).toEqual(['deny', 'approve']);
  });

  it.each([
    ['open', true],
    ['invite', true],
    ['closed', false],
  ] as const)('%s: leads to a new account %s', (signUp, leads) => {
    expect(shown({ signUp }).includes('id="new-account"')).toBe(leads);
  });

  it('shows who is signed in', () => {
    expect(shown()).toContain('Signed in as <strong><bdi>Ann</bdi></strong>');
  });

  it('lets the answer through to where it goes', () => {
    expect(consentPage(context).headers['Content-Security-Policy']).toContain(
      "form-action 'self' http://[::1]:4711 http: claude:; ",
    );
    expect(() => consentPage({ ...context, redirect: { uri: 'javascript:alert(1)' } })).toThrow(
      TypeError,
    );
  });
});
