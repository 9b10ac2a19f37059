import { Browser } from './browser.js';
import { eventually } from '#libs/platform/testing';
import type { Answer } from './http.js';
import type { Operation } from './history.js';
import { OAuthClient, type TokenResponse } from './oauth-client.js';

interface Asked {
  readonly expect: number;
  readonly effect?: Operation['effect'];
  readonly item?: string;
}

/** Ends a person's round after a failed request, which the history records. */
class RoundError extends Error {
  override name = 'RoundError';
}

/** A constant load of people who sign up, connect apps, use them and disconnect them; records every request. */
export class LoadDriver {
  readonly history: Operation[] = [];
  private readonly gatehouse: { readonly port: number; readonly origin: string };
  private going = true;
  private rounds: Promise<void>[] = [];

  constructor(gatehouse: { readonly port: number; readonly origin: string }) {
    this.gatehouse = gatehouse;
  }

  start(people: number) {
    this.rounds = Array.from({ length: people }, () => this.person());
  }

  /** Resolves when that many more requests have completed. */
  async more(requests: number) {
    const enough = this.history.length + requests;
    await eventually(() => {
      const { length } = this.history;
      if (length < enough) throw new Error(`${length} of ${enough} requests`);
    });
  }

  /** Lets every person finish the current round. */
  async stop() {
    this.going = false;
    await Promise.all(this.rounds);
  }

  private async person() {
    const browser = new Browser(this.gatehouse);
    let known = false;
    while (this.going) {
      try {
        if (!known) await this.enter(browser, 'register');
        known = true;
        await this.enter(browser, 'login');
        await this.connectAndLeave(browser);
      } catch (error) {
        if (!(error instanceof RoundError)) throw error;
      }
    }
  }

  private async enter(browser: Browser, ceremony: 'register' | 'login') {
    if (ceremony === 'register') browser.cookie = undefined;
    const fields = ceremony === 'register' ? { displayName: 'Ann' } : {};
    const path = `/svc/auth/${ceremony}`;
    const options = (
      await this.ask(`${ceremony} options`, () => browser.post(`${path}/options`, fields), {
        expect: 200,
      })
    ).json<never>();
    const { origin } = this.gatehouse;
    const response =
      ceremony === 'register'
        ? await browser.authenticator.create(options, origin)
        : await browser.authenticator.get(options, origin);
    await this.ask(`${ceremony} verify`, () => browser.post(`${path}/verify`, response), {
      expect: 200,
    });
  }

  private async connectAndLeave(browser: Browser) {
    const client = await OAuthClient.register(this.gatehouse).catch((error: unknown) => {
      this.note('client registration', { expect: 201 }, performance.now(), String(error));
      throw new RoundError();
    });
    const page = await this.ask('consent page', () => browser.get(client.authorizePath()), {
      expect: 200,
    });
    const handle = /name="handle" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const answer = () => client.answerConsent(browser, handle, ['account:read']);
    const answered = await this.twice('consent', answer, `consent ${handle}`, 302);
    const code = new URL(String(answered.headers.location)).searchParams.get('code') ?? '';
    const exchanged = await this.ask('exchange', () => client.exchange(code), {
      expect: 200,
      effect: 'spends',
      item: `code ${code}`,
    });
    const item = `connection ${code}`;
    const used = { expect: 200, effect: 'uses', item } as const;
    const first = exchanged.json<TokenResponse>();
    await this.ask('tool list', () => client.mcp(first.access_token), used);
    const refreshed = await this.ask('refresh', () => client.refresh(first.refresh_token), used);
    const { access_token: token } = refreshed.json<TokenResponse>();
    await this.ask('tool list', () => client.mcp(token), used);
    const listed = await this.ask('apps', () => browser.get('/svc/me/apps'), { expect: 200 });
    const [app] = listed.json<{ apps: { id: string }[] }>().apps;
    const gone = () => browser.send('DELETE', `/svc/me/apps/${app?.id}`);
    await this.ask('disconnect', gone, { expect: 204, effect: 'revokes', item });
    await this.ask('tool list', () => client.mcp(token), { ...used, expect: 401 });
  }

  /** Sends one request twice at the same time; one of them is expected to succeed, and its answer is returned. */
  private async twice(name: string, work: () => Promise<Answer>, item: string, expect: number) {
    const answers = await Promise.all(
      [1, 2].map(() => this.ask(name, work, { expect, effect: 'spends', item }, 400)),
    );
    const winner = answers.find(({ status }) => status === expect);
    if (!winner) throw new RoundError();
    return winner;
  }

  private async ask(name: string, work: () => Promise<Answer>, asked: Asked, orElse?: number) {
    const startedAt = performance.now();
    const answer = await work().catch((error: unknown) => String(error));
    const outcome = typeof answer === 'string' ? answer : answer.status;
    const as = outcome === orElse ? { ...asked, expect: orElse } : asked;
    this.note(name, as, startedAt, outcome);
    if (typeof answer === 'string' || outcome !== as.expect) throw new RoundError();
    return answer;
  }

  private note(name: string, asked: Asked, startedAt: number, outcome: number | string) {
    const { effect = 'none', item, expect: expected } = asked;
    this.history.push({
      id: this.history.length,
      name,
      item,
      effect,
      startedAt,
      endedAt: performance.now(),
      outcome,
      expected: outcome === expected,
    });
  }
}
