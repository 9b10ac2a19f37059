import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityViolations } from '../support/accessibility.js';
import { VirtualAuthenticator } from '../support/chromium.js';
import { dyingWithParent } from '#libs/platform/testing';
import { sqliteForTests } from '../support/services/storage-for-tests.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An environment with a new SQLite file and the PATH to npm, without the test's other variables. */
export async function demoVariables(variables: Readonly<Record<string, string>>) {
  const database = await sqliteForTests();
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: database.url, RATE_LIMIT_MAX: '1000000', ...variables };
  return { env, dispose: database.dispose };
}

/** `npm run demo` without npm, on a free port. */
export async function startDemo(variables: Readonly<Record<string, string>> = {}) {
  const { env, dispose } = await demoVariables({ PORT: '0', ...variables });
  const [command = '', ...args] = [...dyingWithParent(), process.execPath, 'bin/demo.mjs'];
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await dispose();
  };
  const origin = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const said = /Open this page\s+(http:\/\/localhost:\d+)\n/.exec(output)?.[1];
      if (said !== undefined) resolve(said);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`ended before it served: ${output}`)));
  });
  try {
    return { origin: await origin, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The page of the demo in its own browser, with the complaints of its console. */
export class SitePage {
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    readonly authenticator: VirtualAuthenticator,
    private readonly origin: string,
  ) {
    page.on('console', (message) => this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  static async create(chromium: Browser, origin: string, options?: BrowserContextOptions) {
    return SitePage.in(await chromium.newContext(options), origin);
  }

  private static async in(context: BrowserContext, origin: string) {
    const page = await context.newPage();
    return new SitePage(page, await VirtualAuthenticator.plugInto(page), origin);
  }

  get context() {
    return this.page.context();
  }

  /** Opens another tab in the same browser. */
  async another() {
    const site = await SitePage.in(this.context, this.origin);
    await site.open();
    return site;
  }

  /** Opens the page for signing in and connecting apps. */
  open = async () => void (await this.page.goto(`${this.origin}/connect/`));

  async signUp(name = 'Ann') {
    await this.open();
    await this.page.getByLabel('Your name').fill(name);
    await this.button('Create account with a passkey').click();
    await this.heading('Your account').waitFor();
  }

  /** Changes the permissions of the newest connected app. */
  async permit(permissions: Readonly<Record<string, string>>) {
    const { connections } = await this.own('GET', 'connections');
    await this.own('PATCH', `connections/${connections?.[0]?.id}`, { permissions });
  }

  /** Answers the request whose page was opened. */
  async decide(opened: Page, decision: string) {
    const id = /[^/]+$/.exec(opened.url())?.[0];
    await this.own('POST', `requests/${id}`, { decision });
  }

  private own = (method: string, path: string, body?: object) =>
    this.page.evaluate<{ readonly connections?: readonly { readonly id: string }[] }>(
      `(async () => {
        const init = ${JSON.stringify({ method, body: body && JSON.stringify(body) })};
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch('/svc/me/${path}', { ...init, headers });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json();
      })()`,
    );

  button = (name: string) => this.page.getByRole('button', { name, exact: true });
  heading = (name: string) => this.page.getByRole('heading', { name, exact: true });
  /** The current text of an element, visible or not. */
  text = async (id: string) => (await this.page.locator(`#${id}`).textContent()) ?? '';
  items = (id: string) => this.page.locator(`#${id} > li`);
  color = () => this.page.evaluate(() => getComputedStyle(document.body).borderTopColor);

  /** The violations that axe-core finds, as `rule: elements`. */
  violations = () => accessibilityViolations(this.page);
}

declare const document: { readonly body: object };
declare const getComputedStyle: (element: object) => { readonly borderTopColor: string };
