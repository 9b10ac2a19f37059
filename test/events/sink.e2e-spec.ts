import { type DeliveredEvent, EventSink, type Extension, WebhookSink } from '#server';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { startTeamApp } from '../extending/team-app.js';
import { Receiver } from './receiver.js';

/** A team's sink, which can be unavailable. */
class TeamSink extends EventSink {
  readonly taken: DeliveredEvent[] = [];
  isAway = false;

  async deliver(event: DeliveredEvent) {
    if (this.isAway) throw new Error('away');
    this.taken.push(event);
  }

  readonly typesOf = (userId: string) =>
    this.taken.filter(({ data }) => data.user === userId).map(({ type }) => type);
}

const bringing = (sink: EventSink): Extension => ({
  gatehouse: 1,
  replacements: { events: [{ provide: EventSink, useValue: sink }] },
});

const signUp = async (at: Gatehouse) => {
  const browser = new Browser(at);
  await browser.signUp('Ann');
  return { browser, id: (await browser.me()).user?.id ?? '' };
};

describe('events to a sink of a team’s and to a webhook (contract: Delivered events)', () => {
  let receiver: Receiver;
  let sink: TeamSink;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    receiver = await Receiver.start();
    sink = new TeamSink();
    gatehouse = await startTeamApp(bringing(sink), receiver.variables);
  });
  beforeEach(() => {
    receiver.answers();
    sink.isAway = false;
  });
  afterAll(async () => {
    await gatehouse.stop();
    receiver.stop();
  });

  it('come to both, the same and in order', async () => {
    const { browser, id } = await signUp(gatehouse);
    await browser.post('/svc/auth/logout');
    await eventually(() => {
      expect(sink.typesOf(id)).toEqual(['sign-up', 'sign-out']);
      expect(receiver.typesOf(id)).toEqual(['sign-up', 'sign-out']);
    });
    expect(sink.taken.filter(({ data }) => data.user === id)).toEqual(receiver.of(id));
  });

  it('come to one while the other is away, and to that later', async () => {
    receiver.answers((_delivery, response) => void response.writeHead(503).end());
    const { browser, id } = await signUp(gatehouse);
    await browser.post('/svc/auth/logout');
    await eventually(() => expect(sink.typesOf(id)).toEqual(['sign-up', 'sign-out']));
    expect(receiver.typesOf(id)).toEqual([]);

    receiver.answers();
    sink.isAway = true;
    const other = await signUp(gatehouse);
    await other.browser.post('/svc/auth/logout');
    await eventually(() => expect(receiver.typesOf(other.id)).toEqual(['sign-up', 'sign-out']));
    expect(sink.typesOf(other.id)).toEqual([]);
    const waiting = await new Admin(gatehouse).json<{ items: object[] }>('events', 'list');
    const ofOther = { user: other.id, id: expect.stringMatching(/@sink$/) };
    expect(waiting.items).toContainEqual(expect.objectContaining(ofOther));

    sink.isAway = false;
    await eventually(async () => {
      await new Admin(gatehouse).text('events', 'retry', '--all');
      expect(receiver.typesOf(id)).toEqual(['sign-up', 'sign-out']);
      expect(sink.typesOf(other.id)).toEqual(['sign-up', 'sign-out']);
    });
  });

  it('changes by the command line with the extension reach both sinks', async () => {
    const { id } = await signUp(gatehouse);
    const environment = { ...gatehouse.storage.environment, ...receiver.variables };
    const place = { storage: { ...gatehouse.storage, environment } };
    await new Admin(place, [bringing(sink)]).text('users', 'disable', id, '--yes');
    await eventually(() => {
      expect(sink.typesOf(id)).toEqual(['sign-up', 'user-disabled']);
      expect(receiver.typesOf(id)).toEqual(['sign-up', 'user-disabled']);
    });
    await new Admin(place).text('users', 'enable', id);
    await eventually(() => expect(receiver.typesOf(id)).toContain('user-enabled'));
    expect(sink.typesOf(id)).not.toContain('user-enabled');
  });
});

describe('events to a sink of a team’s alone (contract: Delivered events)', () => {
  it('events include those of the command line with the extension', async () => {
    const sink = new TeamSink();
    const gatehouse = await startTeamApp(bringing(sink));
    const { id } = await signUp(gatehouse);
    await new Admin(gatehouse, [bringing(sink)]).text('users', 'disable', id, '--yes');
    await eventually(() => expect(sink.typesOf(id)).toEqual(['sign-up', 'user-disabled']));
    await gatehouse.stop();
  });

  it('may go through the built-in one', async () => {
    const receiver = await Receiver.start();
    const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRET: secret } = receiver.variables;
    class SignUpsOnly extends WebhookSink {
      override async deliver(event: DeliveredEvent, signal: AbortSignal) {
        if (event.type === 'sign-up') await super.deliver(event, signal);
      }
    }
    const sink = new SignUpsOnly({ url, secrets: [secret] });
    const gatehouse = await startTeamApp(bringing(sink));
    const { browser, id } = await signUp(gatehouse);
    await browser.post('/svc/auth/logout');
    await browser.signIn();
    const other = await signUp(gatehouse);
    await eventually(() => expect(receiver.typesOf(other.id)).toEqual(['sign-up']));
    expect(receiver.typesOf(id)).toEqual(['sign-up']);
    await gatehouse.stop();
    receiver.stop();
  });
});
