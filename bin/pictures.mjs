// Takes the pictures in docs/pictures from a service that it starts: npm run pictures, with Chromium installed.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const SERVICE = fileURLToPath(new URL('gatehouse.mjs', import.meta.url));
const MAX_BYTES = 60 * 1024;
const CALLBACK = 'https://notes.example/callback';

/** A page of the site with a tool that its user confirms each time. */
const SHOPPING_LIST = `<!doctype html>
  <title>Shopping list</title>
  <script type="module">
    import { hub, registerTool } from '/svc/client.js';

    await registerTool({
      name: 'share_list',
      title: 'Share the list',
      description: 'Sends the list to a person.',
      inputSchema: { type: 'object', properties: { to: {}, message: {} } },
      annotations: { consequentialHint: true },
      execute: () => ({ shared: true }),
    });
    hub.open();
  </script>`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await server[Symbol.asyncDispose]();
  return port;
}

async function startService(folder) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const service = spawn(process.execPath, [SERVICE, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'gatehouse.sqlite')}`,
      SERVICE_NAME: 'Gatehouse',
    },
  });
  while (!(await fetch(`${origin}/svc/auth/me`).catch(() => undefined))?.ok) {
    if (service.exitCode !== null) throw new Error('the service did not start');
    await setTimeout(200);
  }
  return { origin, service };
}

/** Asks until there is an answer. */
async function eventually(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await setTimeout(200);
  }
}

/** An app called Notes: the address at which it asks for access, and how it gets a token for the code. */
async function registerNotes(origin) {
  const answer = await fetch(`${origin}/svc/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Notes',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = await answer.json();
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL('/svc/oauth/authorize', origin);
  url.search = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'account:read tabs:read tabs:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const exchange = async (code) => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    const tokens = await fetch(`${origin}/svc/oauth/token`, { method: 'POST', body });
    return (await tokens.json()).access_token;
  };
  return { url: url.href, exchange };
}

/** Asks the MCP endpoint as the app does; resolves with the text of the answer when a call has ended. */
async function askMcp(origin, token, method, params = {}) {
  const answer = await fetch(`${origin}/svc/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"isError":true')) throw new Error(`${method}: ${text}`);
  return text;
}

/** A page with an authenticator that answers by itself. */
async function openPage(browser) {
  const context = await browser.newContext({
    viewport: { width: 640, height: 720 },
    colorScheme: 'light',
    locale: 'en',
    reducedMotion: 'reduce',
  });
  await context.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'Connected.' }));
  await context.route('**/shopping-list', (route) =>
    route.fulfill({ contentType: 'text/html', body: SHOPPING_LIST }),
  );
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable', { enableUI: false });
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  });
  return page;
}

async function take(page, name) {
  const path = join(PICTURES, `${name}.jpg`);
  await page.screenshot({ path, quality: 65, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${name}.jpg has ${size} bytes, more than ${MAX_BYTES}`);
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'));
const { origin, service } = await startService(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    // The shopping list has no address, and may not reach this machine otherwise.
    '--disable-features=LocalNetworkAccessChecks',
  ],
});
try {
  const page = await openPage(browser);
  const own = async (path) => (await page.context().request.get(`${origin}/svc/me/${path}`)).json();
  const notes = await registerNotes(origin);
  await page.goto(notes.url);
  await page.fill('input[name="name"]', 'Ann Example');
  await page.locator('form:has(input[name="name"]) button').click();
  await page.waitForSelector('button[value="approve"]');
  await take(page, 'consent');
  await page.click('button[value="approve"]');
  await page.waitForURL(`${CALLBACK}**`);
  const token = await notes.exchange(new URL(page.url()).searchParams.get('code'));
  const call = (name, args = {}) => askMcp(origin, token, 'tools/call', { name, arguments: args });

  const tab = await page.context().newPage();
  await tab.goto(`${origin}/shopping-list`);
  await eventually(async () =>
    (await askMcp(origin, token, 'tools/list')).includes('page_share_list'),
  );
  await call('list_tabs');
  await call('account_status');
  const shared = call('page_share_list', {
    to: 'ben@example.com',
    message: 'Here is what we need for Saturday.',
  });
  const request = await eventually(async () => (await own('requests')).requests[0]);
  await page.goto(`${origin}/svc/account/requests/${request.id}`, { waitUntil: 'networkidle' });
  await take(page, 'request');
  await page.click('button[value="once"]');
  await shared;

  const [{ id }] = (await own('connections')).connections;
  await eventually(async () => (await own(`connections/${id}/calls`)).calls.length > 2);
  await page.goto(`${origin}/svc/account/apps/${id}`, { waitUntil: 'networkidle' });
  const permissions = page.getByRole('heading', { name: 'Permissions', exact: true });
  await permissions.evaluate((heading) => heading.scrollIntoView());
  await take(page, 'app');
} finally {
  await browser.close();
  service.kill();
  if (service.exitCode === null) await once(service, 'exit');
  rmSync(folder, { recursive: true });
}
