import { Readable } from 'node:stream';
import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { AllowRoutedMethods, OwnAccountService } from '#libs/accounts';
import { CredentialStore } from '#libs/passkeys';
import { type Fragment, html, type Html } from '#libs/ui-templates';
import { ACTIONS } from './actions.js';
import { Viewing } from './console.guard.js';
import { consolePage, queryOf, type SignedInView } from './console-page.js';
import { csvLines } from './csv.js';
import { control, fieldsOf, membersOf } from './fields.js';
import { ConsoleOperations } from './operations.service.js';
import { facts, hasValue, section, table, value, words } from './parts.js';
import { send, sendFile } from './send.js';

type Answered = Readonly<Record<string, unknown>>;

interface Answer {
  readonly items: readonly Answered[];
  readonly next: string | null;
}

interface List {
  readonly title: string;
  /** Below `/console/`; rows lead to their own page below that where they have one. */
  readonly page: string;
  readonly operation: string;
  /** The first leads to the page of its row. */
  readonly columns: readonly string[];
  readonly hasPages?: boolean;
  readonly actions?: readonly string[];
  /** Of each row. */
  readonly rowActions?: readonly string[];
  /** Whether a row shows all that it has when it is opened. */
  readonly hasDetails?: boolean;
}

const ACCOUNTS: List = {
  title: 'Accounts',
  page: 'accounts',
  operation: 'listUsers',
  columns: ['displayName', 'createdAt', 'disabledAt', 'id'],
  hasPages: true,
};

const APPS: List = {
  title: 'Apps',
  page: 'apps',
  operation: 'listClients',
  columns: ['name', 'kind', 'redirectUris', 'lastUsedAt', 'blocked', 'blockedHosts', 'id'],
  hasPages: true,
  actions: ['createClient', 'createMachineClient', 'blockRedirectHost'],
};

const INVITES: List = {
  title: 'Invites',
  page: 'invites',
  operation: 'listInvites',
  columns: ['createdAt', 'createdBy', 'usesLeft', 'uses', 'expiresAt', 'id'],
  actions: ['createInvite'],
  rowActions: ['deleteInvite'],
};

/** Lists that stand on a page with others: of an account's apps there are 100 at most. */
const ALL = { limit: '1000' };

const EVENT_COLUMNS = ['at', 'type', 'app', 'actor', 'detail', 'count'];

const CONNECTION_COLUMNS = ['app', 'scope', 'lastUsedAt', 'expiresAt'];

const USAGE_COLUMNS = ['name', 'kind', 'calls', 'refused', 'failed', 'credits', 'lastAt'];

const TRAIL: List = {
  title: 'Trail',
  page: 'trail',
  operation: 'listEvents',
  columns: EVENT_COLUMNS.toSpliced(2, 0, 'user'),
  hasDetails: true,
};

const DELIVERIES: List = {
  title: 'Deliveries',
  page: 'deliveries',
  operation: 'listOutbox',
  columns: ['type', 'user', 'createdAt', 'attempts', 'failure', 'deadAt'],
  hasPages: true,
  actions: ['retryOutbox'],
};

/** What `/admin/` lists and shows, as pages. */
@Controller('console')
@AllowRoutedMethods()
export class PagesController {
  constructor(
    private readonly operations: ConsoleOperations,
    private readonly accounts: OwnAccountService,
    private readonly passkeys: CredentialStore,
  ) {}

  @Get('accounts')
  async listAccounts(@Viewing() view: SignedInView, @Res() response: Response) {
    await this.list(view, response, ACCOUNTS);
  }

  @Get('apps')
  async listApps(@Viewing() view: SignedInView, @Res() response: Response) {
    const hosts = await this.read(view, 'listRedirectHosts', ALL);
    const unblock = ({ redirectHost }: Answered) =>
      this.acts(view, ['unblockRedirectHost'], { id: String(redirectHost) });
    const heading = 'Blocked redirect hosts';
    const blocked = this.tableOf(heading, hosts.items, ['redirectHost', 'blockedAt'], unblock);
    await this.list(view, response, APPS, section('hosts', heading, blocked));
  }

  @Get('invites')
  async listInvites(@Viewing() view: SignedInView, @Res() response: Response) {
    await this.list(view, response, INVITES);
  }

  @Get('trail')
  async listTrail(@Viewing() view: SignedInView, @Res() response: Response) {
    const file = html`<p><a href="/console/trail.csv?${String(queryOf(view))}">Save as CSV</a></p>`;
    await this.list(view, response, TRAIL, file);
  }

  /** The rows from those that are shown on, 10,000 at most (RFC 4180). */
  @Get('trail.csv')
  async saveTrail(@Viewing() view: SignedInView, @Res() response: Response) {
    const query = queryOf(view);
    const fields = fieldsOf(this.operations.get(TRAIL.operation).input);
    const filter = membersOf(fields, query);
    const read = (after: string | null, limit: number) =>
      this.read(view, TRAIL.operation, { ...filter, limit: `${limit}`, ...startingAfter(after) });
    const first = query.get('after');
    const lines = csvLines(await read(first, 1), read, first);
    const file = new StreamableFile(Readable.from(lines), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="trail.csv"',
    });
    await sendFile(response, file);
  }

  @Get('deliveries')
  async listDeliveries(@Viewing() view: SignedInView, @Res() response: Response) {
    await this.list(view, response, DELIVERIES);
  }

  @Get('accounts/:id')
  async showAccount(
    @Viewing() view: SignedInView,
    @Param('id') id: string,
    @Res() response: Response,
  ) {
    const shown = await this.operations.run<Answered>(view.session, 'showUser', id);
    const [own, passkeys, identities, apps, budget, trail] = await Promise.all([
      this.accounts.describe(id),
      this.passkeys.list(id),
      this.operations.run<Answer>(view.session, 'listIdentities', id),
      this.read(view, 'listApps', { user: id, ...ALL }),
      this.operations.run<Answered>(view.session, 'showBudget', id),
      this.trailOf(view, { user: id }),
    ]);
    const { left: unusedCodes, createdAt: madeAt } = own.recoveryCodes;
    const codes = { unusedCodes, createdAt: madeAt && madeAt * 1000 };
    const keys = passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      createdAt,
      lastUsedAt,
    }));
    const sessions = own.sessions.map(({ browser, createdAt, lastSeenAt }) => ({
      browser,
      createdAt: createdAt * 1000,
      lastSeenAt: lastSeenAt * 1000,
    }));
    const unlink = ({ issuer, subject }: Answered) =>
      this.acts(view, ['unlinkUser'], { id, issuer: String(issuer), subject: String(subject) });
    const { user: _user, ...spent } = budget;
    const able = shown['disabledAt'] === null ? 'disableUser' : 'enableUser';
    const recovery = ['recoverUser', 'revokeRecovery'];
    const all = ['signOutUser', able, ...recovery, 'exportUser', 'deleteUser'];
    const acts = (...names: string[]) => this.acts(view, names, { id });
    const main = [
      section('about', 'Account', [facts(shown), acts(...all)]),
      this.tableSection('passkeys', 'Passkeys', keys, ['name', 'createdAt', 'lastUsedAt']),
      section('recovery', 'Recovery codes', facts(codes)),
      this.tableSection('sessions', 'Sessions', sessions, ['browser', 'createdAt', 'lastSeenAt']),
      this.tableSection('apps', 'Connected apps', apps.items, CONNECTION_COLUMNS, 'connections'),
      section('budget', 'Budget', [facts(spent), acts('setBudget', 'resetBudget')]),
      section('identities', 'Identities at other issuers', [
        this.tableOf('Identities', identities.items, ['issuer', 'subject', 'createdAt'], unlink),
        acts('linkUser'),
      ]),
      trail,
    ];
    send(response, consolePage(view, String(shown['displayName']), main));
  }

  @Get('apps/:id')
  async showClient(
    @Viewing() view: SignedInView,
    @Param('id') id: string,
    @Res() response: Response,
  ) {
    const shown = await this.operations.run<Answered>(view.session, 'showClient', id);
    const isMachine = shown['kind'] === 'machine';
    const hasSecret = String(shown['auth']).startsWith('client_secret');
    const [usage, trail, budget] = await Promise.all([
      this.read(view, 'listUsage', { client: id }),
      this.trailOf(view, { client: id }),
      isMachine ? this.operations.run<Answered>(view.session, 'showMachineBudget', id) : undefined,
    ]);
    const blocking = shown['blocked'] === true ? 'unblockClient' : 'blockClient';
    const all = [blocking, ...(hasSecret ? ['rotateClientSecret'] : []), 'deleteClient'];
    const acts = (...names: string[]) => this.acts(view, names, { id });
    const publishedBy = shown['kind'] === 'published' ? new URL(id).host : null;
    const main = [
      section('about', 'Client', [facts({ ...shown, publishedBy }), acts(...all)]),
      budget === undefined
        ? ''
        : section('budget', 'Budget', [
            facts(budget),
            acts('setMachineBudget', 'resetMachineBudget'),
          ]),
      this.tableSection('usage', 'What it did in 30 days', usage.items, USAGE_COLUMNS),
      trail,
    ];
    send(response, consolePage(view, String(shown['name'] ?? id), main));
  }

  @Get('connections/:id')
  async showConnection(
    @Viewing() view: SignedInView,
    @Param('id') id: string,
    @Res() response: Response,
  ) {
    const { session } = view;
    const shown = await this.operations.run<Answered>(session, 'showApp', id);
    const members = startingAfter(queryOf(view).get('after'));
    const calls = await this.operations.run<Answer>(session, 'listCalls', id, members);
    const acts = this.acts(view, ['setApp', 'revokeApp'], { id });
    const columns = ['lastAt', 'name', 'kind', 'page', 'outcome', 'count', 'credits', 'approved'];
    const main = [
      section('about', 'What it may do', [facts(shown), acts]),
      section('calls', 'What it did', [
        this.tableOf('Calls', calls.items, columns),
        turning(view, calls.next),
      ]),
    ];
    send(response, consolePage(view, String(shown['app']), main));
  }

  @Get('deliveries/:id')
  async showDelivery(
    @Viewing() view: SignedInView,
    @Param('id') id: string,
    @Res() response: Response,
  ) {
    const event = await this.operations.run<Answered>(view.session, 'showOutboxEvent', id);
    const { body, ...shown } = event;
    const acts = this.acts(view, ['retryOutboxEvent', 'dropOutboxEvent'], { id });
    const main = [
      section('about', 'Event', [facts(shown), acts]),
      section('body', 'What is delivered', html`<pre>${String(body)}</pre>`),
    ];
    send(response, consolePage(view, String(shown['type']), main));
  }

  private async list(view: SignedInView, response: Response, list: List, more: Fragment = '') {
    const { title, page, operation, columns, hasPages, rowActions = [], hasDetails } = list;
    const query = queryOf(view);
    const fields = fieldsOf(this.operations.get(operation).input);
    const members = { ...membersOf(fields, query), ...startingAfter(query.get('after')) };
    const { items, next } = await this.read(view, operation, members);
    const last = (row: Answered): Fragment => [
      hasDetails
        ? html`<details>
            <summary>Details</summary>
            ${facts(row)}
          </details>`
        : '',
      this.acts(view, rowActions, { id: String(row['id']) }),
    ];
    const hasLast =
      hasDetails === true || rowActions.some((name) => this.operations.may(view.session, name));
    const shown = this.tableOf(
      title,
      items,
      columns,
      hasLast ? last : undefined,
      hasPages ? page : undefined,
    );
    const main = html`${filters(page, fields, query)} ${this.acts(view, list.actions ?? [])}
      <div class="card">${shown} ${turning(view, next)}</div>
      ${more}`;
    send(response, consolePage(view, title, main));
  }

  /** Links to the pages that ask once more, for what the role may do. */
  private acts(
    { session }: SignedInView,
    names: readonly string[],
    members: Readonly<Record<string, string>> = {},
  ): Html {
    const query = String(new URLSearchParams(members));
    const links = names.flatMap((name) => {
      const action = ACTIONS.get(name);
      if (!action || !this.operations.may(session, name)) return [];
      const to = `/console/do/${name}${query && '?'}${query}`;
      return [
        html`<a class="button ${action.ends ? 'danger' : ''}" href="${to}">${action.label}</a>`,
      ];
    });
    return links.length === 0 ? html`` : html`<div class="acts">${links}</div>`;
  }

  private read({ session }: SignedInView, name: string, members: object): Promise<Answer> {
    return this.operations.run(session, name, undefined, members);
  }

  private async trailOf(view: SignedInView, filter: Readonly<Record<string, string>>) {
    const { items } = await this.read(view, 'listEvents', { ...filter, limit: '20' });
    const all = `/console/trail?${new URLSearchParams(filter)}`;
    const link = html`<p><a href="${all}">See all events</a></p>`;
    return section('trail', 'Trail', [this.tableOf('Trail', items, EVENT_COLUMNS), link]);
  }

  private tableSection(
    id: string,
    heading: string,
    rows: readonly Answered[],
    columns: readonly string[],
    page?: string,
  ): Html {
    return section(id, heading, this.tableOf(heading, rows, columns, undefined, page));
  }

  /** Columns without a value are left out. Where `page` is given, the first leads to the page of its row. */
  private tableOf(
    label: string,
    rows: readonly Answered[],
    columns: readonly string[],
    last?: (row: Answered) => Fragment,
    page?: string,
  ): Html {
    const shown = columns.filter((name, at) => at === 0 || rows.some((row) => hasValue(row[name])));
    const cellsOf = (row: Answered) =>
      shown.map((name, at) => {
        if (at > 0 || page === undefined) return value(row[name], name);
        const to = `/console/${page}/${encodeURIComponent(String(row['id']))}`;
        return html`<a href="${to}">${value(row[name] ?? row['id'])}</a>`;
      });
    return table(
      label,
      [...shown.map(words), ...(last ? ['More'] : [])],
      rows.map((row) => [...cellsOf(row), ...(last ? [last(row)] : [])]),
    );
  }
}

const startingAfter = (after: string | null) => (after === null ? {} : { after });

function filters(page: string, fields: ReturnType<typeof fieldsOf>, query: URLSearchParams): Html {
  if (fields.length === 0) return html``;
  const form = html`<form method="GET" action="/console/${page}" role="search">
    <div class="filters">
      ${fields.map((field) => html`<div>${control(field, query.get(field.member) ?? '')}</div>`)}
    </div>
    <button type="submit">Show</button>
  </form>`;
  if (fields.length < 3) return html`<div class="card">${form}</div>`;
  const isUsed = fields.some(({ member }) => query.has(member));
  return html`<details class="card" ${isUsed ? html`open` : ''}>
    <summary>Filter</summary>
    ${form}
  </details>`;
}

/** Links to the first page and to the next one, with the filter of this one. */
function turning(view: SignedInView, next: string | null): Fragment {
  const query = queryOf(view);
  const [path = ''] = view.address.split('?');
  const isFirst = !query.has('after');
  if (isFirst && next === null) return '';
  query.delete('after');
  const first = `${path}?${query}`;
  if (next !== null) query.set('after', next);
  return html`<p class="turning">
    ${isFirst ? '' : html`<a href="${first}">Newest</a>`}
    ${next === null ? '' : html`<a href="${path}?${String(query)}" rel="next">Older</a>`}
  </p>`;
}
