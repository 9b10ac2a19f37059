import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { DataSource } from 'typeorm';
import { OutboxEventEntity } from '../../apps/server/src/outbox/outbox-event.entity.js';
import { OutboxQueueEntity } from '../../apps/server/src/outbox/outbox-queue.entity.js';
import { runAdminHere } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { Receiver } from './receiver.js';

const DOCUMENT = new URL('../../docs/administration.md', import.meta.url);

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
  let browser: Browser;
  let userId: string;

  const run = (...args: string[]) =>
    runAdminHere({ ...gatehouse.storage.environment, ...receiver.variables }, 'events', ...args);
  const json = async <T>(...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  };
  const manager = () => gatehouse.app.get(DataSource).manager;
  const mine = ({ items }: Page) => items.filter(({ user }) => user === userId);
  const waiting = async () => mine(await json<Page>('list'));
  const dead = async () => mine(await json<Page>('list', '--dead'));

  /** Has a sign-out fail for good with its next attempt. */
  async function giveUp() {
    await manager().update(OutboxEventEntity, { type: 'sign-out' }, { attempts: 9 });
    await manager().update(OutboxQueueEntity, { id: userId }, { dueAt: 1 });
  }

  beforeAll(async () => {
    receiver = await Receiver.start();
    gatehouse = await startGatehouse(receiver.variables);
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
    await eventually(async () => expect(await waiting()).toMatchObject([{ type: 'sign-in' }]));
    const [given] = await dead();
    expect(given).toMatchObject({ id: signOut?.id, attempts: 10, deadAt: expect.any(String) });
    receiver.answers();
    await json('retry', signOut?.id ?? '');
    await eventually(() => {
      expect(receiver.typesOf(userId)).toEqual(['sign-up', 'sign-out', 'sign-in']);
    });
    expect([await dead(), await waiting()]).toEqual([[], []]);
    expect(
      receiver
        .of(userId)
        .map(({ id }) => id)
        .slice(1),
    ).toEqual([signOut?.id, signIn?.id]);
  });

  it('retries all at once, and tells who did it', async () => {
    await giveUp();
    await eventually(async () => expect(await dead()).toHaveLength(1));
    receiver.answers();
    const { dead: count } = await json<{ dead: number }>('retry', '--all');
    expect(count).toBeGreaterThan(0);
    await eventually(() => expect(receiver.typesOf(userId)).toHaveLength(3));
    await eventually(() => {
      const told = receiver.of(null).find(({ type }) => type === 'event-retried');
      expect(told?.data).toMatchObject({ actor: userInfo().username, detail: expect.any(String) });
    });
  });

  it('deletes one: what waits behind it goes on', async () => {
    receiver.answers(({ event }, response) => {
      response.writeHead(event.type === 'sign-out' ? 500 : 204).end();
    });
    const [, signOut] = await waiting();
    expect(await run('delete', signOut?.id ?? '')).toMatchObject({ code: 1, stdout: '' });
    await json('delete', signOut?.id ?? '', '--yes');
    await eventually(() => expect(receiver.typesOf(userId)).toEqual(['sign-up', 'sign-in']));
    expect(await waiting()).toEqual([]);
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
