import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A user who signs in by passkey when asked to, and approves requests for consent. */
export class Approver {
  /** When set, approves these scopes, whichever were ticked; otherwise the ticked ones. */
  only: readonly string[] | undefined;
  /** When set, approves also the scopes that were not asked for, as "Everything" on the page does. */
  givesAll = false;

  private constructor(
    readonly browser: Browser,
    private readonly origin: string,
  ) {}

  /** A person with an account who is not signed in. */
  static async create(gatehouse: Gatehouse): Promise<Approver> {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    browser.cookie = undefined;
    return new Approver(browser, gatehouse.origin);
  }

  /** Opens an authorization URL; returns the URL that the answer redirects to. */
  async visit(authorizationUrl: string): Promise<string> {
    const { origin, pathname, search } = new URL(authorizationUrl);
    if (origin !== this.origin) throw new Error(`sent to ${origin}`);
    const path = pathname + search;
    if (this.browser.cookie === undefined) {
      const signIn = await this.browser.get(path);
      if (handleIn(signIn.text) !== undefined) throw new Error('no one has signed in yet');
      await this.browser.signIn();
    }
    const { text: consent } = await this.browser.get(path);
    const form = new URLSearchParams({ decision: 'approve', handle: handleIn(consent) ?? '' });
    for (const scope of this.givesAll ? scopesIn(consent) : checkedScopesIn(consent)) {
      if (this.only?.includes(scope) ?? true) form.append('scope', scope);
    }
    const answer = await this.browser.post(pathname, form.toString(), FORM);
    if (answer.headers.location === undefined)
      throw new Error(`not approved: ${answer.status} ${answer.text}`);
    return answer.headers.location;
  }
}

const handleIn = (page: string) => /name="handle" value="([^"]+)"/.exec(page)?.[1];

const scopesIn = (page: string) =>
  [...page.matchAll(/name="scope"\s+value="([^"]+)"/g)].map(([, scope = '']) => scope);

const checkedScopesIn = (page: string) =>
  [...page.matchAll(/name="scope" value="([^"]+)"\s+checked/g)].map(([, scope = '']) => scope);
