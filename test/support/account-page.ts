import type { Page } from 'playwright-core';
import type { AccountStatus } from './browser.js';

type Ceremony = 'register' | 'login';

/** The service's answer, or the name of the browser's error. */
export interface Outcome {
  readonly status?: number;
  readonly body?: unknown;
  readonly refusal?: string;
}

/** A page of the service without a user interface, and the actions of a script in it. */
export class AccountPage {
  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  async open(path = '/svc/auth/me') {
    await this.page.goto(this.origin + path);
  }

  signUp = (displayName: string) => this.perform('register', { displayName });
  addPasskey = () => this.perform('register', {});
  signIn = () => this.perform('login', {});
  signOut = async () => (await this.post('logout')).status;

  me = () =>
    this.page.evaluate(async () => (await (await fetch('/svc/auth/me')).json()) as AccountStatus);

  visibleCookies = () => this.page.evaluate(() => document.cookie);

  /** The response of browser and authenticator to these options, on the open page. */
  async respond(ceremony: Ceremony, options: unknown): Promise<{ response?: unknown } & Outcome> {
    return this.page.evaluate(respondInPage, { ceremony, options });
  }

  private async perform(ceremony: Ceremony, fields: object): Promise<Outcome> {
    const offered = await this.post(`${ceremony}/options`, fields);
    if (offered.status !== 200) return offered;
    const { response, refusal } = await this.respond(ceremony, offered.body);
    return refusal === undefined ? this.post(`${ceremony}/verify`, response) : { refusal };
  }

  private post(route: string, body?: unknown): Promise<Outcome> {
    return this.page.evaluate(postInPage, { path: `/svc/auth/${route}`, body });
  }
}

interface PasskeyRequest {
  readonly publicKey: unknown;
}

declare const document: { readonly cookie: string };
declare const navigator: {
  readonly credentials: Record<
    'create' | 'get',
    (request: PasskeyRequest) => Promise<{ toJSON(): unknown }>
  >;
};
declare const PublicKeyCredential: Record<
  'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON',
  (options: unknown) => unknown
>;

/** Runs in the page, so it cannot use anything from its surroundings. */
async function postInPage({ path, body }: { path: string; body: unknown }) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) ?? null });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Runs in the page, so it cannot use anything from its surroundings. */
async function respondInPage({ ceremony, options }: { ceremony: Ceremony; options: unknown }) {
  const { credentials } = navigator;
  const respond = () =>
    ceremony === 'register'
      ? credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  try {
    return { response: (await respond()).toJSON() };
  } catch (error) {
    return { refusal: (error as Error).name };
  }
}
