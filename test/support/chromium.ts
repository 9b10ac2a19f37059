import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '#libs/platform/testing';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

/** The installed Chromium, headless; `args` are added to those that every spec needs. */
export async function startChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  return chromium.launch({ executablePath, headless: true, args: [...ARGS, ...args] });
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
