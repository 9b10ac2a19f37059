import { type OpenInTabContext, openInTabPage } from './open-in-tab-page.js';
import { signInPage } from './sign-in-page.js';

const context: OpenInTabContext = {
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: 'notes.example' },
  redirect: { uri: 'https://notes.example/callback' },
  extraFormActions: [],
  origin: 'https://gate.example',
  link: '/svc/oauth/authorize?client_id=x&state="><script>',
};

describe('page that asks to be opened in a tab', () => {
  const { status, headers, html } = openInTabPage(context);

  it('has nothing that a script could answer or run', () => {
    expect(html).not.toMatch(/<form|<button|<input|<script|handle/i);
  });

  it('names an app only where one leads to the page', () => {
    const { serviceName, origin, link } = context;
    const own = openInTabPage({ serviceName, origin, link });
    expect(html).toContain('Open this page in its own tab to connect <bdi>Notes</bdi>');
    expect(own.html).not.toContain('connect');
    expect(own.html).toContain('target="_blank"');
    expect(own.headers['Content-Security-Policy']).toContain("form-action 'self';");
  });

  it('links to the page itself, escaped', () => {
    expect(html).toContain(
      '<a href="/svc/oauth/authorize?client_id=x&amp;state=&quot;&gt;&lt;script&gt;" target="_blank"',
    );
  });

  it('has the headers of every page, and leaves windows and stored data of the site alone', () => {
    expect(status).toBe(200);
    expect(Object.keys(headers)).toEqual(Object.keys(signInPage(context).headers));
    expect(headers).not.toHaveProperty('Cross-Origin-Opener-Policy');
    expect(headers).not.toHaveProperty('Clear-Site-Data');
  });
});
