import { Client } from 'pg';
import { Browser } from '../support/browser.js';
import { HeldWrites } from '../support/held-writes.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { describeTopology, Topology } from '../support/topology.js';

/** One of two people in the middle of an operation, each on another replica. */
interface Person {
  readonly browser: Browser;
  readonly client: OAuthClient;
}

describeTopology('a replica that is killed in the middle of something', () => {
  let topology: Topology;
  let people: Person[];

  beforeAll(async () => {
    topology = await Topology.start();
  });
  beforeEach(async () => {
    people = await Promise.all([newPerson(), newPerson()]);
    await topology.settle();
  });
  afterAll(() => topology.stop());

  async function newPerson(): Promise<Person> {
    const browser = new Browser(topology);
    await browser.signUp();
    return { browser, client: await OAuthClient.register(topology) };
  }

  type Work = (person: Person, n: number) => Promise<Answer>;

  /** Stops both replicas in the middle of a write; kills one of them there, and lets the other one continue. */
  async function killWhileItWrites(work: Work) {
    const held = await HeldWrites.hold(topology.storage.environment.DATABASE_URL);
    const answers = Promise.all(people.map(work));
    try {
      await held.waiting(2);
      await topology.replicas[0].kill();
    } finally {
      await held.release();
    }
    return outcome(await answers, work);
  }

  /** Kills one replica with a request that it has not started to process. */
  async function killBeforeItBegins(work: Work) {
    const [replica] = topology.replicas;
    replica.process.signal('SIGSTOP');
    const answers = people.map(work);
    await Promise.race(answers);
    await replica.kill();
    return outcome(await Promise.all(answers), work);
  }

  /** Of two people one got the answer, and the other one is told to try again. */
  function outcome(answers: Answer[], work: Work) {
    const lost = answers.findIndex(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
    expect(answers[lost]?.headers['retry-after']).toBe('1');
    const unlucky = people[lost] as Person;
    return { answers, lost, unlucky, retry: () => work(unlucky, lost) };
  }
  afterEach(() => topology.replicas[0].start());

  const count = async (query: string) => {
    const client = new Client({ connectionString: topology.storage.environment.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ n: number }>(`SELECT COUNT(*)::int AS n FROM ${query}`);
    await client.end();
    return rows[0]?.n;
  };

  const codeIn = ({ headers }: Answer) =>
    new URL(String(headers.location)).searchParams.get('code') ?? '';

  const appsOf = async ({ browser }: Person) =>
    (await browser.get('/svc/me/apps')).json<{ apps: unknown[] }>().apps;

  const showConsents = async () => {
    const handles = await Promise.all(
      people.map(({ client, browser }) => client.showConsent(browser)),
    );
    const approve: Work = ({ client, browser }, n) =>
      client.answerConsent(browser, handles[n] ?? '', ['account:read']);
    return approve;
  };

  it('consent, before it was worked on: the form is sent again, and counts once', async () => {
    const approve = await showConsents();
    const { answers, lost, retry } = await killBeforeItBegins(approve);
    answers[lost] = await retry();
    for (const [n, person] of people.entries()) {
      expect(answers[n]?.status).toBe(302);
      expect((await person.client.exchange(codeIn(answers[n] as Answer))).status).toBe(200);
      expect((await approve(person, n)).status).toBe(400);
      expect(await appsOf(person)).toHaveLength(1);
    }
  });

  it('consent, in the middle: the form is sent again, and counts once', async () => {
    const { unlucky, retry } = await killWhileItWrites(await showConsents());
    const again = await retry();
    expect(again.status).toBe(302);
    expect((await unlucky.client.exchange(codeIn(again))).status).toBe(200);
    expect(await appsOf(unlucky)).toHaveLength(1);
    expect((await retry()).status).toBe(400);
  });

  const exchangeCodes = async (): Promise<Work> => {
    const codes = await Promise.all(people.map(({ client, browser }) => client.authorize(browser)));
    return ({ client }, n) => client.exchange(codes[n] ?? '');
  };

  it('code, before it was worked on: the exchange is sent again, and gives tokens', async () => {
    const { answers, lost, retry } = await killBeforeItBegins(await exchangeCodes());
    answers[lost] = await retry();
    for (const [n, { client }] of people.entries()) {
      expect(answers[n]?.status).toBe(200);
      const { access_token: token } = (answers[n] as Answer).json<TokenResponse>();
      expect((await client.mcp(token)).status).toBe(200);
    }
  });

  it('code, in the middle: the client has to ask for consent again, which works', async () => {
    const { unlucky, retry } = await killWhileItWrites(await exchangeCodes());
    const again = await retry();
    expect(again.status).toBe(400);
    expect(again.json()['error']).toBe('invalid_grant');
    const { access_token: token } = await unlucky.client.connect(unlucky.browser);
    expect((await unlucky.client.mcp(token)).status).toBe(200);
  });

  it('refresh: the same token is valid again on the other replica, and no app is disconnected', async () => {
    const tokens = await Promise.all(people.map(({ client, browser }) => client.connect(browser)));
    const { answers, lost, retry } = await killWhileItWrites(({ client }, n) =>
      client.refresh(tokens[n]?.refresh_token ?? ''),
    );
    answers[lost] = await retry();
    for (const [n, { client }] of people.entries()) {
      expect(answers[n]?.status).toBe(200);
      const next = (answers[n] as Answer).json<TokenResponse>();
      expect((await client.mcp(next.access_token)).status).toBe(200);
      expect((await client.refresh(next.refresh_token)).status).toBe(200);
    }
  });

  it('sign-up: a new attempt succeeds, and no half of an account is left', async () => {
    const strangers = people.map(() => new Browser(topology));
    const responses = await Promise.all(strangers.map((stranger) => stranger.attest()));
    const { lost, retry } = await killWhileItWrites((_person, n) =>
      (strangers[n] as Browser).post('/svc/auth/register/verify', responses[n]),
    );
    const stranger = strangers[lost] as Browser;
    const again = await retry();
    expect(again.status).toBe(400);
    expect(again.json()['error']).toContain('start again');
    expect((await stranger.me()).user).toBeNull();
    expect((await stranger.signUp()).status).toBe(200);
    expect(
      await count('users u WHERE NOT EXISTS (SELECT FROM credentials WHERE user_id = u.id)'),
    ).toBe(0);
    expect(await count('credentials')).toBe(await count('users'));
  });

  it('client registration: registered again it gets an id that works', async () => {
    const metadata = JSON.stringify({
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    });
    const { retry } = await killWhileItWrites(({ client }) =>
      client.send('POST', '/svc/oauth/register', metadata, { 'content-type': 'application/json' }),
    );
    const answer = await retry();
    expect(answer.status).toBe(201);
    const [{ browser, client }] = people as [Person];
    await browser.agent
      .get(client.authorizePath({ client_id: String(answer.json()['client_id']) }))
      .expect(200);
  });

  it('a page is loaded from the other replica without a visible fault', async () => {
    const [{ browser, client }] = people as [Person];
    await topology.replicas[0].kill();
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => browser.get(client.authorizePath())),
    );
    expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
