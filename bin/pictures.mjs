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

/** The address at which an app called Notes asks for access. */
async function authorizeUrl(origin) {
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
  return url.href;
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
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  const page = await openPage(browser);
  await page.goto(await authorizeUrl(origin));
  await page.fill('input[name="name"]', 'Ann Example');
  await page.locator('form:has(input[name="name"]) button').click();
  await page.waitForSelector('button[value="approve"]');
  await take(page, 'consent');
  await page.click('button[value="approve"]');
  await page.waitForURL(`${CALLBACK}**`);
  await page.goto(`${origin}/svc/account`, { waitUntil: 'networkidle' });
  await take(page, 'account');
} finally {
  await browser.close();
  service.kill();
  if (service.exitCode === null) await once(service, 'exit');
  rmSync(folder, { recursive: true });
}
