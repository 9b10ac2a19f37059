import { Readable } from 'node:stream';
import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { AllowRoutedMethods, OwnAccountService } from '#libs/accounts';
import { CredentialStore } from '#libs/passkeys';
import { type Fragment, html, type Html } from '#libs/ui-templates';
import { actionLinks } from './actions.js';
import { Viewing } from './console.guard.js';
import { consolePage, type SignedInView } from './console-page.js';
import { csvLines } from './csv.js';
import { fieldsOf, membersOf } from './fields.js';
import { ConsoleOperations } from './operations.service.js';
import { control, facts, section, table, value, words } from './parts.js';
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
  /** The columns in place of those of a terminal; the first leads to the page of its row. */
  readonly columns?: readonly string[];
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
  columns: ['displayName', 'id', 'createdAt', 'disabledAt'],
  hasPages: true,
};

const APPS: List = {
  title: 'Apps',
  page: 'apps',
  operation: 'listClients',
  columns: ['id', 'name', 'kind', 'redirectUris', 'lastUsedAt', 'blocked', 'blockedHosts'],
  hasPages: true,
  actions: ['createClient', 'createMachineClient', 'blockRedirectHost'],
};

const INVITES: List = {
  title: 'Invites',
  page: 'invites',
  operation: 'listInvites',
  actions: ['createInvite'],
  rowActions: ['deleteInvite'],
};

const TRAIL: List = { title: 'Trail', page: 'trail', operation: 'listEvents', hasDetails: true };

const DELIVERIES: List = {
  title: 'Deliveries',
  page: 'deliveries',
  operation: 'listOutbox',
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
    const hosts = await this.rows(view, 'listRedirectHosts');
    const unblock = ({ redirectHost }: Answered) =>
      actionLinks(this.operations, view, ['unblockRedirectHost'], { id: String(redirectHost) });
    const blocked = this.tableOf(
      'Blocked redirect hosts',
      hosts,
      ['redirectHost', 'blockedAt'],
      unblock,
    );
    await this.list(view, response, APPS, section('hosts', 'Blocked redirect hosts', blocked));
  }

  @Get('invites')
  async listInvites(@Viewing() view: SignedInView, @Res() response: Response) {
    await this.list(view, response, INVITES);
  }

  @Get('trail')
  async listTrail(@Viewing() view: SignedInView, @Res() response: Response) {
    const [, query] = view.address.split('?');
    const file = html`<p>
      <a href="/console/trail.csv${query ? `?${query}` : ''}">Save as CSV</a>
    </p>`;
    await this.list(view, response, TRAIL, file);
  }

  /** The rows from those that are shown on, 10,000 at most (RFC 4180). */
  @Get('trail.csv')
  async saveTrail(@Viewing() view: SignedInView, @Res() response: Response) {
    const query = queryOf(view);
    const fields = fieldsOf(this.operations.get(TRAIL.operation).input);
    const read = async (after: string | null, limit: number) =>
      this.operations.run<Answer>(view.session, TRAIL.operation, undefined, {
        ...membersOf(fields, query),
        limit: String(limit),
        ...(after === null ? {} : { after }),
      });
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
      this.rows(view, 'listIdentities', id),
      this.rows(view, 'listApps', undefined, { user: id }),
      this.operations.run<Answered>(view.session, 'showBudget', id),
      this.rows(view, 'listEvents', undefined, { user: id, limit: '20' }),
    ]);
    const isoOf = (seconds: number | null) =>
      seconds === null ? null : new Date(seconds * 1000).toISOString();
    const { left, createdAt } = own.recoveryCodes;
    const sessions = own.sessions.map((session) => ({
      browser: session.browser,
      createdAt: isoOf(session.createdAt),
      lastSeenAt: isoOf(session.lastSeenAt),
    }));
    const keys = passkeys.map((passkey) => ({
      name: passkey.name,
      createdAt: new Date(passkey.createdAt).toISOString(),
      lastUsedAt: passkey.lastUsedAt === null ? null : new Date(passkey.lastUsedAt).toISOString(),
    }));
    const unlink = ({ issuer, subject }: Answered) =>
      this.acts(view, ['unlinkUser'], { id, issuer: String(issuer), subject: String(subject) });
    const { user: _user, ...spent } = budget;
    const about = [
      facts(shown),
      this.acts(
        view,
        ['signOutUser', shown['disabledAt'] === null ? 'disableUser' : 'enableUser'],
        { id },
      ),
      this.acts(view, ['recoverUser', 'revokeRecovery', 'exportUser', 'deleteUser'], { id }),
    ];
    const main = [
      section('about', 'Account', about),
      section(
        'passkeys',
        'Passkeys',
        this.tableOf('Passkeys', keys, ['name', 'createdAt', 'lastUsedAt']),
      ),
      section(
        'recovery',
        'Recovery codes',
        facts({ unusedCodes: left, createdAt: isoOf(createdAt) }),
      ),
      section(
        'sessions',
        'Sessions',
        this.tableOf('Sessions', sessions, ['browser', 'createdAt', 'lastSeenAt']),
      ),
      section('apps', 'Connected apps', this.connections(apps)),
      section('budget', 'Budget', [
        facts(spent),
        this.acts(view, ['setBudget', 'resetBudget'], { id }),
      ]),
      section('identities', 'Identities at other issuers', [
        this.tableOf('Identities', identities, ['issuer', 'subject', 'createdAt'], unlink),
        this.acts(view, ['linkUser'], { id }),
      ]),
      section('trail', 'Trail', this.trailOf(trail, { user: id })),
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
    const [usage, trail, budget] = await Promise.all([
      this.rows(view, 'listUsage', undefined, { client: id }),
      this.rows(view, 'listEvents', undefined, { client: id, limit: '20' }),
      isMachine ? this.operations.run<Answered>(view.session, 'showMachineBudget', id) : undefined,
    ]);
    const publishedBy = shown['kind'] === 'published' ? new URL(id).host : null;
    const main = [
      section('about', 'Client', [
        facts({ ...shown, publishedBy }),
        this.acts(view, [shown['blocked'] === true ? 'unblockClient' : 'blockClient'], { id }),
        this.acts(view, ['rotateClientSecret', 'deleteClient'], { id }),
      ]),
      budget === undefined
        ? ''
        : section('budget', 'Budget', [
            facts(budget),
            this.acts(view, ['setMachineBudget', 'resetMachineBudget'], { id }),
          ]),
      section(
        'usage',
        'What it did in 30 days',
        this.tableOf('Usage', usage, [
          'kind',
          'name',
          'calls',
          'refused',
          'failed',
          'credits',
          'lastAt',
        ]),
      ),
      section('trail', 'Trail', this.trailOf(trail, { client: id })),
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
    const after = queryOf(view).get('after');
    const members = after === null ? {} : { after };
    const calls = await this.operations.run<Answer>(session, 'listCalls', id, members);
    const columns = ['lastAt', 'kind', 'name', 'page', 'outcome', 'count', 'credits', 'approved'];
    const main = [
      section('about', 'What it may do', [
        facts(shown),
        this.acts(view, ['setApp', 'revokeApp'], { id }),
      ]),
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
    const { body, ...shown } = await this.operations.run<Answered>(
      view.session,
      'showOutboxEvent',
      id,
    );
    const main = [
      section('about', 'Event', [
        facts(shown),
        this.acts(view, ['retryOutboxEvent', 'dropOutboxEvent'], { id }),
      ]),
      section('body', 'What is delivered', html`<pre>${String(body)}</pre>`),
    ];
    send(response, consolePage(view, String(shown['type']), main));
  }

  private async list(view: SignedInView, response: Response, list: List, more: Fragment = '') {
    const { title, page, operation, hasPages, rowActions = [], hasDetails } = list;
    const query = queryOf(view);
    const { details, input } = this.operations.get(operation);
    const fields = fieldsOf(input);
    const after = query.get('after');
    const members = { ...membersOf(fields, query), ...(after === null ? {} : { after }) };
    const { session } = view;
    const { items, next } = await this.operations.run<Answer>(
      session,
      operation,
      undefined,
      members,
    );
    const ofTerminal = details.answer as unknown as {
      columns: readonly string[];
      columnsIfAny: readonly string[];
    };
    const further = ofTerminal.columnsIfAny.filter((name) =>
      items.some((item) => item[name] != null),
    );
    const columns = list.columns ?? [...ofTerminal.columns, ...further];
    const last = (row: Answered): Fragment => [
      hasDetails
        ? html`<details>
            <summary>All of it</summary>
            ${facts(told(row))}
          </details>`
        : '',
      this.acts(view, rowActions, { id: String(row['id']) }),
    ];
    const hasLast =
      hasDetails === true || rowActions.some((name) => this.operations.may(session, name));
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

  private acts(
    view: SignedInView,
    names: readonly string[],
    members?: Readonly<Record<string, string>>,
  ): Html {
    return actionLinks(this.operations, view, names, members);
  }

  private async rows(view: SignedInView, name: string, id?: string, members?: object) {
    return (await this.operations.run<Answer>(view.session, name, id, members)).items;
  }

  private connections(apps: readonly Answered[]): Html {
    const rows = apps.map(({ id: grant, scope, ...app }) => ({
      grant,
      permissions: scope,
      ...app,
    }));
    return this.tableOf('Connected apps', rows, [
      'app',
      'grant',
      'permissions',
      'lastUsedAt',
      'expiresAt',
    ]);
  }

  private trailOf(rows: readonly Answered[], filter: Readonly<Record<string, string>>): Fragment {
    const all = `/console/trail?${new URLSearchParams(filter)}`;
    return [
      this.tableOf('Trail', rows, ['at', 'type', 'app', 'actor', 'detail', 'count']),
      html`<p><a href="${all}">All of the trail</a></p>`,
    ];
  }

  /** Where `page` is given, the first column leads to the page of its row. */
  private tableOf(
    label: string,
    rows: readonly Answered[],
    columns: readonly string[],
    last?: (row: Answered) => Fragment,
    page?: string,
  ): Html {
    const cellsOf = (row: Answered) =>
      columns.map((name, at) => {
        if (at > 0 || page === undefined) return value(row[name], name);
        const to = `/console/${page}/${encodeURIComponent(String(row['id']))}`;
        return html`<a href="${to}">${value(row[name])}</a>`;
      });
    const headings = columns.map(words);
    return table(
      label,
      last ? [...headings, html`<span class="unseen">More</span>`] : headings,
      rows.map((row) => [...cellsOf(row), ...(last ? [last(row)] : [])]),
    );
  }
}

const queryOf = ({ address }: SignedInView) => new URLSearchParams(address.split('?')[1] ?? '');

const told = (row: Answered) =>
  Object.fromEntries(Object.entries(row).filter(([, one]) => one !== null));

function filters(page: string, fields: ReturnType<typeof fieldsOf>, query: URLSearchParams): Html {
  if (fields.length === 0) return html``;
  const isUsed = fields.some(({ member }) => query.has(member));
  return html`<details class="card" ${isUsed ? html`open` : ''}>
    <summary>Filter</summary>
    <form method="GET" action="/console/${page}" role="search">
      <div class="filters">
        ${fields.map((field) => html`<div>${control(field, query.get(field.member) ?? '')}</div>`)}
      </div>
      <button type="submit">Show</button>
    </form>
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
