import { Browser } from './browser.js';
import type { Operation } from './history.js';
import type { Answer } from './http.js';
import { LastingTab } from './lasting-tab.js';
import { OAuthClient, type TokenResponse } from './oauth-client.js';

type Server = ConstructorParameters<typeof Browser>[0];

interface Called {
  readonly result?: { readonly structuredContent?: Readonly<Record<string, unknown>> };
}

const SCOPES = ['account:read', 'tabs:write', 'acme:greet'];

/** A user with two open tabs and an app that sends one request after the other on one connection. */
export class BusyPerson {
  readonly history: Operation[] = [];
  /** How many greetings were acknowledged to the app. */
  greetings = 0;
  /** By message number: to how many tabs it was delivered, as the app was told. */
  readonly delivered: number[] = [];
  readonly tabs: readonly LastingTab[];
  private going = true;
  private readonly work: Promise<void>;

  private constructor(
    readonly browser: Browser,
    private readonly client: OAuthClient,
    private tokens: TokenResponse,
    server: Server,
  ) {
    this.tabs = [1, 2].map(() => new LastingTab(server, browser));
    this.work = this.goOn();
  }

  static async enter(server: Server): Promise<BusyPerson> {
    const browser = new Browser(server);
    await browser.signUp();
    const client = await OAuthClient.register(server);
    return new BusyPerson(browser, client, await client.connect(browser, SCOPES), server);
  }

  /** Resolves when the last request is answered and the tabs have left. */
  async stop() {
    this.going = false;
    await this.work;
    await Promise.all(this.tabs.map((tab) => tab.leave()));
  }

  /** The numbers of messages that reached fewer tabs than the app was told, or one tab twice. */
  get lost(): number[] {
    const came = this.tabs.map(({ messages }) => messages);
    const wrong = this.delivered.flatMap((told, body) => {
      const times = came.map((bodies) => bodies.filter((one) => one === body).length);
      const isTrue = times.filter(Boolean).length >= told && Math.max(...times) <= 1;
      return isTrue ? [] : [body];
    });
    return wrong;
  }

  private async goOn() {
    while (this.going) {
      await this.note('me', () => this.browser.get('/svc/auth/me'));
      const refreshed = await this.note('refresh', () =>
        this.client.refresh(this.tokens.refresh_token),
      );
      if (refreshed?.status === 200) this.tokens = refreshed.json<TokenResponse>();
      const sent = await this.call('send_message', { body: this.delivered.length });
      this.delivered.push(Number(sent?.['delivered'] ?? 0));
      const greeted = await this.call('acme_greet', { language: 'en' });
      if (greeted?.['greeting'] === 'Hello, Ann') this.greetings += 1;
    }
  }

  private async call(name: string, args: object) {
    const params = { name, arguments: args };
    const answer = await this.note(name, () =>
      this.client.mcp(this.tokens.access_token, 'tools/call', params),
    );
    return answer?.json<Called>().result?.structuredContent;
  }

  private async note(name: string, work: () => Promise<Answer>): Promise<Answer | undefined> {
    const startedAt = performance.now();
    const answer = await work().catch((error: unknown) => String(error));
    const outcome = typeof answer === 'string' ? answer : answer.status;
    const endedAt = performance.now();
    const expected = outcome === 200;
    const id = this.history.length;
    this.history.push({ id, name, effect: 'none', startedAt, endedAt, outcome, expected });
    return typeof answer === 'string' || !expected ? undefined : answer;
  }
}
