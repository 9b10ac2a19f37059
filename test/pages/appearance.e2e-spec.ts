import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTeamApp } from '../extending/team-app.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';

const LOGO = '<svg viewBox="0 0 9 2"><rect id="acme-logo" width="9" height="2" /></svg>';
const VARIABLES = {
  SERVICE_NAME: 'Acme',
  SERVICE_ACCENT: '#8a1538',
  SERVICE_LINKS:
    'Imprint=https://acme.example/imprint, Terms & more=https://acme.example/terms?a=b',
  SERVICE_WEBSITE: 'https://acme.example/',
};

describe('the appearance of all pages (contract: Account page)', () => {
  let folder: string;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-appearance-'));
    const path = join(folder, 'logo.svg');
    await writeFile(path, LOGO);
    gatehouse = await startGatehouse({ ...VARIABLES, SERVICE_LOGO_FILE: path });
  });
  afterAll(async () => {
    await gatehouse.stop();
    await rm(folder, { recursive: true });
  });

  const pathsOf = async () => {
    const client = await OAuthClient.register(gatehouse);
    return ['/svc/account', '/svc/account/recover', client.authorizePath()];
  };

  it.each(['signed out', 'signed in'])('is that of the variables | %s', async (state) => {
    const browser = new Browser(gatehouse);
    if (state === 'signed in') await browser.signUp();
    for (const path of await pathsOf()) {
      const { status, headers, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(text).toContain(
        `<header><a href="https://acme.example/"><span class="logo" role="img" aria-label="Acme">${LOGO}</span></a></header>`,
      );
      expect(text).toContain('--accent: #8a1538;');
      const foot = /<footer>[^]*<\/footer>/.exec(text)?.[0];
      expect(foot?.match(/<a .+?<\/a>/g)).toEqual([
        '<a href="https://acme.example/imprint">Imprint</a>',
        '<a href="https://acme.example/terms?a=b">Terms &amp; more</a>',
      ]);
      expect(headers['content-security-policy']).not.toContain('acme.example');
    }
  });

  it('leads to / where nothing else is set', async () => {
    const plain = await startGatehouse();
    const { text } = await new Browser(plain).get('/svc/account');
    await plain.stop();
    expect(text).toContain('<header><a href="/">');
    expect(text).not.toContain('<footer>');
  });

  it('is that of a team, and of the variables where both say something', async () => {
    const brand = {
      emblem: '<svg id="acme-emblem" />',
      links: [{ label: 'Elsewhere', href: '/elsewhere' }],
      website: '/home',
    };
    const { port, stop } = await startTeamApp(
      { brand },
      { SERVICE_LINKS: VARIABLES.SERVICE_LINKS },
    );
    const { text } = await call(port, {
      method: 'GET',
      path: '/svc/account',
      headers: { host: 'localhost' },
    });
    await stop();
    expect(text).toContain('<header><a href="/home"><svg id="acme-emblem" />');
    expect(text).toContain('>Imprint</a>');
    expect(text).not.toContain('Elsewhere');
  });
});
