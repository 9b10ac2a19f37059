import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { Receiver } from './receiver.js';

const DOCUMENT = new URL('../../docs/reference/administration.md', import.meta.url);

interface Event {
  readonly id: string;
  readonly type: string;
  readonly user: string | null;
  readonly attempts: number;
  readonly failure: string | null;
  readonly deadAt: string | null;
  readonly nextAttemptAt?: string | null;
}

interface Page {
  readonly items: readonly Event[];
  readonly next: string | null;
}

describe('admin events (contract: Administration)', () => {
  let receiver: Receiver;
  let gatehouse: Gatehouse;
  let admin: Admin;
  let browser: Browser;
  let userId: string;

  const run = (...args: string[]) => admin.run('events', ...args);
  const json = <T>(...args: string[]) => admin.json<T>('events', ...args);
  const mine = ({ items }: Page) => items.filter(({ user }) => user === userId);
  const waiting = async () => mine(await json<Page>('list'));
  const dead = async () => mine(await json<Page>('list', '--dead'));
  const taken = (...expected: string[]) =>
    eventually(() => expect(receiver.typesOf(userId)).toEqual(expected));

  /** A replica polls every two seconds for events of others, and at once when it writes an event itself. */
  const lookAtOnce = () => new Browser(gatehouse).signUp('Zoe');

  /** Makes the event of a sign-out fail for good: after the first attempt, nine more. */
  async function giveUp() {
    const api = new AdminApi(gatehouse);
    const [, signOut] = await waiting();
    for (let attempts = 2; attempts <= 10; attempts += 1) {
      await api.json('POST', 'events/retry');
      await eventually(async () => {
        const shown = await json<Event>('show', signOut?.id ?? '');
        expect(shown.attempts).toBe(attempts);
      });
    }
  }

  beforeAll(async () => {
    receiver = await Receiver.start();
    gatehouse = await startAdministered(receiver.variables);
    const { storage } = gatehouse;
    const environment = { ...storage.environment, ...receiver.variables };
    admin = new Admin({ storage: { ...storage, environment } });
  });
  beforeEach(async () => {
    receiver.answers(({ event }, response) => {
      const isRefused = event.type === 'sign-out' || event.type === 'sign-in';
      response.writeHead(isRefused ? 500 : 204).end();
    });
    browser = new Browser(gatehouse);
    userId = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
    await browser.post('/svc/auth/logout');
    await browser.signIn();
    await eventually(async () => {
      expect((await waiting()).map(({ attempts }) => attempts)).toEqual([0, 1]);
    });
  });
  afterAll(async () => {
    await gatehouse.stop();
    receiver.stop();
  });

  it('lists what waits, newest first, and shows why and until when', async () => {
    const [signIn, signOut] = await waiting();
    expect([signIn?.type, signOut?.type]).toEqual(['sign-in', 'sign-out']);
    expect(signOut).toMatchObject({ user: userId, failure: 'the webhook answered 500' });
    const shown = await json<Event & { body: string }>('show', signOut?.id ?? '');
    expect(Date.parse(shown.nextAttemptAt ?? '')).toBeGreaterThan(Date.now());
    expect(JSON.parse(shown.body)).toMatchObject({ type: 'sign-out', data: { user: userId } });
    const page = await json<Page>('list', '--limit', '1');
    const next = await json<Page>('list', '--limit', '1', '--after', page.next ?? '');
    expect([page.items[0]?.id, next.items[0]?.id]).toEqual([signIn?.id, signOut?.id]);
    const [, documented] = /events list\n(ID .+)$/m.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
    const [heading] = (await run('list')).stdout.split('\n');
    expect(heading?.split(/ {2,}/)).toEqual(documented?.split(/ {2,}/));
  });

  it('lists what was given up, and has it delivered when it is retried', async () => {
    const [signIn, signOut] = await waiting();
    await giveUp();
    expect(await waiting()).toMatchObject([{ type: 'sign-in' }]);
    const [given] = await dead();
    expect(given).toMatchObject({ id: signOut?.id, attempts: 10, deadAt: expect.any(String) });
    receiver.answers();
    await json('retry', signOut?.id ?? '');
    await lookAtOnce();
    await taken('sign-up', 'sign-out', 'sign-in');
    await eventually(async () => expect([await dead(), await waiting()]).toEqual([[], []]));
    const ids = receiver.of(userId).map(({ id }) => id);
    expect(ids.slice(1)).toEqual([signOut?.id, signIn?.id]);
  });

  it('retries all at once, and tells who did it', async () => {
    await giveUp();
    expect(await dead()).toHaveLength(1);
    receiver.answers();
    const { dead: count } = await json<{ dead: number }>('retry', '--all');
    expect(count).toBe(1);
    await lookAtOnce();
    await taken('sign-up', 'sign-out', 'sign-in');
    const actor = userInfo().username;
    await eventually(() => {
      const told = receiver.of(null).filter(({ type }) => type === 'event-retried');
      expect(told.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ actor, detail: 'all' }),
      );
    });
  });

  it('deletes one: what waits behind it goes on', async () => {
    receiver.answers(({ event }, response) => {
      response.writeHead(event.type === 'sign-out' ? 500 : 204).end();
    });
    const [, signOut] = await waiting();
    expect(await run('delete', signOut?.id ?? '')).toMatchObject({ code: 1, stdout: '' });
    await json('delete', signOut?.id ?? '', '--yes');
    await lookAtOnce();
    await taken('sign-up', 'sign-in');
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  it.each([
    [['show', 'nothing']],
    [['retry', 'nothing']],
    [['retry']],
    [['retry', 'some', '--all']],
    [['delete', 'nothing', '--yes']],
    [['list', '--dead', '--waiting']],
    [['list', '--after', 'nothing']],
  ])('%j is refused in one line', async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });
});
