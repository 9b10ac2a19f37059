import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from '#libs/platform/testing';
import { Browser as Person } from './browser.js';
import { recordComplaints } from './complaints.js';
import type { Gatehouse } from './gatehouse.js';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

/** The installed Chromium, headless; `args` are added to those that every spec needs. */
export const startChromium = (...args: readonly string[]) => launch(args);

/** One that keeps pages that are left for the way back, as people's browsers do. */
export const startChromiumWithPageCache = (...args: readonly string[]) =>
  launch(args, ['--disable-back-forward-cache']);

async function launch(more: readonly string[], ignoreDefaultArgs: string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  const args = [...ARGS, ...more];
  return chromium.launch({ executablePath, headless: true, args, ignoreDefaultArgs });
}

export type Chromium = ReturnType<typeof useChromium>;

/**
 * Chromium for all tests of a block, with one page at a time, which may complain of nothing. Call this before what
 * serves the page, so that the page ends first. Locators look at the page that was opened last.
 */
export function useChromium(...args: readonly string[]) {
  let browser: Browser;
  let page: Page;
  let complaints: string[] = [];

  beforeAll(async () => {
    browser = await startChromium(...args);
  });
  afterEach(() => expect(complaints).toEqual([]));
  afterAll(() => browser.close());

  /** Opens a page in a browser without any state, and closes what was open. */
  const openPage = async (options?: BrowserContextOptions) => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    page = await (await browser.newContext(options)).newPage();
    complaints = recordComplaints(page);
    return page;
  };
  const open = async (options?: BrowserContextOptions) => {
    await openPage(options);
    return { page, device: await VirtualAuthenticator.plugInto(page) };
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const answer = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const withWords = (role: 'alert' | 'status') => (words: string) =>
    page.getByRole(role).filter({ hasText: words }).waitFor();
  const [said, alert] = [withWords('status'), withWords('alert')];
  const rows = (list: string) => page.getByRole('list', { name: list }).getByRole('listitem');
  const focused = () => page.evaluate<string | undefined>('document.activeElement?.id');
  /** Creates an account on the account page of the service there. */
  const signUp = async (origin: string, name = 'Ann') => {
    await page.goto(`${origin}/svc/account`);
    await page.getByLabel('Your name').fill(name);
    await button('Create account with a passkey').click();
    await rows('Passkeys').first().waitFor();
  };
  /** What the page complained of so far, and is forgiven. */
  const takeComplaints = () => complaints.splice(0);
  const locators = { button, dialog, answer, said, alert, rows, focused };
  return { launched: () => browser, openPage, open, signUp, takeComplaints, ...locators };
}

/** Who is signed in on this page, without a browser window. */
export async function personIn(page: Page, service: Gatehouse) {
  const [cookie] = await page.context().cookies();
  const person = new Person(service);
  person.cookie = `${cookie?.name}=${cookie?.value}`;
  return person;
}

/** An authenticator that DevTools simulates for one page, across navigations. */
export class VirtualAuthenticator {
  private constructor(
    private readonly devTools: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** By default it verifies its user and needs no touch. */
  static async plugInto(page: Page, transport: 'internal' | 'usb' = 'internal') {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        defaultBackupEligibility: transport === 'internal',
        defaultBackupState: transport === 'internal',
      },
    });
    return new VirtualAuthenticator(devTools, authenticatorId);
  }

  /** Sets whether its user passes the PIN, finger or face check. */
  async verifiesUser(isUserVerified: boolean) {
    const { authenticatorId } = this;
    await this.devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  /** Sets whether its user touches it. */
  async isTouched(enabled: boolean) {
    const { authenticatorId } = this;
    await this.devTools.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId,
      enabled,
    });
  }

  /** Adds a passkey that was created earlier, elsewhere. */
  async keepPasskey(rpId: string, userHandle: string) {
    const { authenticatorId } = this;
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    });
    await this.devTools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: {
        credentialId: randomBytes(16).toString('base64'),
        isResidentCredential: true,
        rpId,
        userHandle,
        privateKey: privateKey.toString('base64'),
        signCount: 0,
      },
    });
  }

  async credentials() {
    const { authenticatorId } = this;
    const { credentials } = await this.devTools.send('WebAuthn.getCredentials', {
      authenticatorId,
    });
    return credentials;
  }
}
