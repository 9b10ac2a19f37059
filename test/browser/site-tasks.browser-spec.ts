import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { SiteApp } from './site-app.js';
import { SitePage, startDemo } from './site-fixture.js';

const MONDAY = '2030-01-07';

describe('the tasks page of the example site', () => {
  const chromium = useChromium();
  const demo = useStarted(() => startDemo());
  let site: SitePage;

  beforeEach(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
  });
  afterEach(() => site.context.close());

  const open = (path = '/') => site.page.goto(demo.origin + path);
  const titles = () => site.items('tasks').locator('label').allTextContents();
  const task = (title: string) => site.page.locator('.task', { hasText: title });
  const focused = () => site.page.evaluate(() => document.activeElement?.ariaLabel ?? '');

  describe('by hand, signed out', () => {
    beforeEach(() => open());

    it('adds, changes, ticks off and removes tasks, and keeps the focus', async () => {
      await site.button('Add a task').click();
      await site.page.getByLabel('Task', { exact: true }).fill('<b>Buy paint</b>');
      await site.page.getByLabel('Due date').fill(MONDAY);
      await site.page.keyboard.press('Enter');
      await task('<b>Buy paint</b>').getByText('Jan 7, 2030').waitFor();
      await site.button('Edit: <b>Buy paint</b>').click();
      await site.page.getByLabel('Task', { exact: true }).fill('Buy paint');
      await site.button('Save').click();
      await eventually(async () => expect(await focused()).toBe('Edit: Buy paint'));
      await site.page.getByLabel('Buy paint', { exact: true }).check();
      await site.button('Remove: Buy paint').click();
      await site.button('Keep it').click();
      expect(await task('Buy paint').count()).toBe(1);
      await site.button('Remove: Buy paint').click();
      await site.button('Remove it').click();
      await eventually(async () => expect(await task('Buy paint').count()).toBe(0));
      expect(site.complaints).toEqual([]);
    });

    it('filters, sorts, and is as it was after it is loaded again', async () => {
      await site.page.getByLabel('Sort by').selectOption('Title');
      expect(await titles()).toEqual((await titles()).toSorted());
      await site.page.getByLabel('Show').selectOption('Done');
      expect(await titles()).toEqual(['Water the plants']);
      await site.page.getByLabel('Water the plants', { exact: true }).click();
      expect(await site.text('count')).toBe('No matching tasks.');
      await site.page.reload();
      await site.page.getByLabel('Search').fill('PLANTS');
      await eventually(async () => expect(await titles()).toEqual(['Water the plants']));
      expect(await site.page.getByLabel('Water the plants', { exact: true }).isChecked()).toBe(
        false,
      );
    });

    it('says that assistants cannot work here', async () => {
      expect(await site.text('hub-state')).toBe(
        'You’re not signed in, so assistants can’t work on this page.',
      );
    });

    it('is accessible and keeps to its width in every look, and so are its dialogs', async () => {
      await site.button('Edit: Water the plants').click();
      await site.page.getByLabel('Task', { exact: true }).fill('w'.repeat(120));
      expect(await problemsInEveryLook(site.page)).toEqual([]);
      await site.button('Save').click();
      expect(await problemsInEveryLook(site.page)).toEqual([]);
      await site.button(`Remove: ${'w'.repeat(120)}`).click();
      expect(await problemsInEveryLook(site.page)).toEqual([]);
    });
  });

  it.each(['/tasks', '/tasks/'])('is at %s too', async (path) => {
    await open(path);
    await task('Water the plants').waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('learns of a sign-in in another tab, and of its end', async () => {
    await open();
    const second = await site.another();
    await second.signUp();
    await site.page.getByRole('link', { name: 'Sign in and connect one' }).waitFor();
    const look = () => site.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await look();
    await site.page.getByText('Signed in as Ann').waitFor();
    await eventually(async () =>
      expect(await site.text('hub-state')).toContain('can work on this page'),
    );
    expect(await site.text('budget')).toContain('0 of 1000 credits used today.');
    const connect = site.page.getByRole('link', { name: 'Connect one', exact: true });
    await connect.waitFor();
    await second.button('Sign out').click();
    await site.page.getByText('Signed in as Ann').waitFor({ state: 'hidden' });
    await connect.waitFor({ state: 'hidden' });
    expect(site.complaints).toEqual([]);
  });

  it('has credits and notices that are of now', async () => {
    await site.signUp();
    await site.page.clock.install();
    await open();
    await site.page.getByText('0 of 1000 credits used today.').waitFor();
    await site.page.route('**/svc/auth/me', async (route) => {
      const response = await route.fetch();
      const account = (await response.json()) as { readonly budget: object };
      await route.fulfill({
        response,
        json: { ...account, budget: { ...account.budget, used: 70 } },
      });
    });
    await site.page.clock.runFor(31_000);
    await site.page.getByText('70 of 1000 credits used today.').waitFor();
    await site.page.goto(`${demo.origin}/connect/`);
    await site.button('Copy').click();
    await eventually(async () => expect(await site.text('status')).not.toBe(''));
    await site.page.clock.runFor(11_000);
    expect(await site.text('status')).toBe('');
  });

  describe('with an MCP client', () => {
    let app: SiteApp;
    let tab: string;

    beforeEach(async () => {
      app = await SiteApp.start(demo.origin, 'Planner', site.context);
      await site.signUp();
      await open();
      await eventually(async () =>
        expect(await site.text('hub-state')).toContain('can work on this page'),
      );
      const { structuredContent } = await app.call('list_tabs');
      const { tabs } = structuredContent as { tabs: { id: string; title: string }[] };
      tab = tabs.find(({ title }) => title === 'Tasks')?.id ?? '';
    });
    afterEach(() => app.stop());

    const ask = (method: string, params: object = {}, timeoutMs = 10_000) =>
      app.call('call_tab', { tab, method, params, timeoutMs });
    const valueOf = async <Value>(asked: ReturnType<typeof ask>) =>
      ((await asked).structuredContent as { readonly value: Value }).value;
    const log = () => site.items('log').allTextContents();

    it('shows what an assistant filters, adds and changes, and who did it', async () => {
      const { tasks } = await valueOf<{ tasks: object[] }>(
        ask('show_tasks', { show: 'open', sort: 'title' }),
      );
      expect(tasks).toHaveLength(4);
      expect(await site.page.getByLabel('Show').inputValue()).toBe('open');
      const added = await valueOf<{ task: { id: string } }>(
        ask('add_task', { title: 'Buy paint' }),
      );
      await task('Buy paint').getByText('changed by Planner').waitFor();
      await ask('update_task', { id: added.task.id, due: MONDAY, priority: 'high' });
      await task('Buy paint').getByText('high priority').waitFor();
      await eventually(async () =>
        expect(await log()).toEqual([
          expect.stringMatching(/^Planner changed a task\./),
          expect.stringMatching(/^Planner added a task\./),
          expect.stringMatching(/^Planner changed the view\./),
        ]),
      );
      expect(await problemsInEveryLook(site.page)).toEqual([]);
      expect(site.complaints).toEqual([]);
    });

    it('has its tools as tools of the client, which say what they take', async () => {
      const added = await app.call('page_add_task', { title: 'Buy brushes', due: MONDAY });
      expect(added.structuredContent).toMatchObject({ value: { task: { title: 'Buy brushes' } } });
      await task('Buy brushes').getByText('changed by Planner').waitFor();
      const misfits = [
        [{ due: MONDAY }, 'title is missing'],
        [{ title: '' }, 'title takes'],
        [{ title: 'Wash', priority: 'urgent' }, 'priority takes'],
        [{ title: 'Wash', color: 'teal' }, 'only the properties title, due and priority'],
      ] as const;
      for (const [mismatch, words] of misfits) {
        const refused = await app.call('page_add_task', mismatch);
        expect(refused.isError).toBe(true);
        expect(refused.content[0]?.text).toMatch(/^These arguments do not fit: .+\.$/);
        expect(refused.content[0]?.text).toContain(words);
      }
      expect(await task('Wash').count()).toBe(0);
      expect(await log()).toHaveLength(1);
    });

    it('removes nothing before the user says so', async () => {
      const kept = ask('remove_task', { id: 't4' });
      await site.page.getByText('Planner wants to remove “Water the plants”.').waitFor();
      await site.button('Keep it').click();
      expect((await kept).content[0]?.text).toContain('wants to keep this task');
      await eventually(async () =>
        expect((await log())[0]).toMatch(/^Planner tried to remove a task: The user wants to keep/),
      );
      const removed = ask('remove_task', { id: 't4' });
      await site.button('Remove it').click();
      expect(await valueOf(removed)).toEqual({ removed: 'Water the plants' });
      expect(await task('Water the plants').count()).toBe(0);
    });

    it('shows in each tab what an app asks, until the user has answered', async () => {
      const second = await site.another();
      await site.permit({ 'tabs:write': 'ask' });
      const added = app.call('page_add_task', { title: 'Buy paint' });
      const title = 'Add a task (offered by a page)';
      const banners = [site, second].map(({ page }) => page.getByText(`Planner asks: ${title}`));
      for (const banner of banners) await banner.waitFor();
      expect(await task('Buy paint').count()).toBe(0);
      const opened = second.page.waitForEvent('popup');
      await second.button(`Review: ${title}`).click();
      await site.decide(await opened, 'once');
      expect((await added).isError).toBeUndefined();
      for (const banner of banners) await banner.waitFor({ state: 'hidden' });
      await task('Buy paint').waitFor();
      expect(site.complaints).toEqual([]);
    });

    it('closes its question when the caller stops waiting', async () => {
      expect(await ask('remove_task', { id: 't4' }, 1000)).toMatchObject({ isError: true });
      await eventually(async () =>
        expect(await log()).toEqual([expect.stringContaining('but it was canceled')]),
      );
      expect(await site.page.getByRole('dialog').count()).toBe(0);
      expect(await task('Water the plants').count()).toBe(1);
    });

    it('stops planning when the caller cancels', async () => {
      await site.page.evaluate(`(async () => {
        const { hub } = await import('/svc/client.js');
        globalThis.refused = [];
        hub.addEventListener('error', ({ detail }) => refused.push(detail));
      })()`);
      const planned = await valueOf(ask('plan_tasks', { from: MONDAY }));
      expect(planned).toEqual({ planned: 4 });
      // The hub accepted the progress too.
      expect(await site.page.evaluate('refused')).toEqual([]);
      expect(await task('Jan 8, 2030').count()).toBe(2);
      await ask('plan_tasks', { from: '2031-01-06', per_day: 1 }, 400);
      await eventually(async () => expect((await log())[0]).toContain('but it was canceled'));
      expect(await task('2031').count()).toBeLessThan(4);
      expect(await site.page.locator('#work').isHidden()).toBe(true);
    });
  });
});

declare const document: { readonly activeElement: { readonly ariaLabel: string | null } | null };
