import { Controller, Get, Inject, NotFoundException, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowRoutedMethods, ChangeLimitService, ownOriginOf, RefusalError } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import {
  appGonePage,
  appPage,
  type AppPageContext,
  type AppPageMessage,
  type ConnectionView,
  type SiteContext,
  textFor,
} from '#libs/ui-templates';
import type { GrantEntity } from '../grant/grant.entity.js';
import type { CallsSummary, ConnectionCalls } from './connection-calls.js';
import { latestEndOf } from '../grant/grant.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { OwnPagesService } from '../own-page/own-pages.service.js';
import { scopeWords } from '../scope.js';
import {
  type ConnectionChangeBody,
  isCredits,
  isEnd,
  isPermissions,
} from './connection-change.dto.js';
import { ConnectionReaderService } from './connection-reader.service.js';
import { toCall } from './connection.controller.js';
import { ConnectionsService } from './connection.service.js';

const PAGES = '/svc/account/apps';

/** The page where a person decides what an app may do, and sees what it did (contract, App page). */
@Controller()
@AllowRoutedMethods()
export class ConnectionPageController {
  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
    private readonly pages: OwnPagesService,
    private readonly reader: ConnectionReaderService,
    private readonly connections: ConnectionsService,
    private readonly changes: ChangeLimitService,
  ) {}

  @Get(`${PAGES}/:id`)
  async show(@Req() request: Request, @Res() response: Response) {
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    await this.pages.show(request, response, async ({ session, site }) => {
      const grant = await this.reader.find(session.user.id, idOf(request));
      return grant ? this.render(grant, query, site) : appGonePage(site);
    });
  }

  /** Its forms, which work without a script: the change, then the page again with what became of it. */
  @Post(`${PAGES}/:id`)
  async change(@Req() request: Request, @Res() response: Response) {
    const id = idOf(request);
    await this.pages.take(request, response, async ({ session, site }, form) => {
      const grant = await this.reader.find(session.user.id, id);
      if (!grant) return appGonePage(site);
      const { origin } = ownOriginOf(request);
      try {
        await this.changes.count(session);
        if (form.get('act') === 'disconnect') {
          await this.connections.disconnect(session, id, origin);
          return '/svc/account#apps';
        }
        const body = changeIn(form, grant);
        const isFault = typeof body === 'string';
        if (!isFault) await this.connections.change(session, id, body, origin);
        return `${PAGES}/${id}?message=${isFault ? body : 'saved'}`;
      } catch (error) {
        const message = error instanceof RefusalError ? MESSAGES[error.status] : undefined;
        if (message === undefined) throw error;
        return `${PAGES}/${id}?message=${message}`;
      }
    });
  }

  private async render(grant: GrantEntity, query: URLSearchParams, site: SiteContext) {
    const { id } = grant;
    const tool = query.get('tool') || undefined;
    const before = query.get('before') ?? undefined;
    const asked = query.get('message') ?? '';
    const message = isMessage(asked) ? asked : undefined;
    // Once, so that a page is refused before anything else of it is read.
    const { summary, ...calls } = await this.reader.sum(grant.userId, async (from) => ({
      summary: await from.summary([id]),
      days: await from.days(id),
      ...(await callsFrom(from, id, before, tool)),
    }));
    const connection = await this.view(grant, summary, site);
    return appPage({ ...site, connection, calls: { ...calls, tool }, message });
  }

  private async view(
    grant: GrantEntity,
    summary: CallsSummary,
    { language }: SiteContext,
  ): Promise<ConnectionView> {
    const { permissions, usedToday, ...connection } = await this.reader.describeOne(grant, summary);
    const given = scopeWords(grant.scope);
    const scopes = this.reader.resourceOf(grant)?.scopes ?? [];
    const offered = await this.connections.offeredFor(grant);
    return {
      ...connection,
      usedToday: usedToday ?? 0,
      canAsk: grant.resource === null,
      isEndFixed: grant.expiresAt >= latestEndOf(grant, this.options.grantMaxAgeMs),
      permissions: scopes.map(({ name, description, texts }) => ({
        scope: name,
        description: textFor(language?.tag ?? 'en', texts) ?? description,
        permission: permissions[name] ?? 'off',
        isOffered:
          grant.managedBy === null
            ? offered.includes(name) || (permissions[name] ?? 'off') !== 'off'
            : given.includes(name),
      })),
    };
  }
}

/** The first page of them where those before are not there any more. */
async function callsFrom(
  from: ConnectionCalls,
  id: string,
  before: string | undefined,
  tool: string | undefined,
): Promise<Pick<AppPageContext['calls'], 'calls' | 'next' | 'before'>> {
  try {
    const { calls, next } = await from.page(id, { before, tool });
    return { calls: calls.map(toCall), next, before };
  } catch (error) {
    if (before === undefined || !(error instanceof NotFoundException)) throw error;
    return callsFrom(from, id, undefined, tool);
  }
}

/** What the page says of a refusal, by its status. */
const MESSAGES: Readonly<Record<number, AppPageMessage>> = {
  400: 'refused',
  403: 'signInAgain',
  429: 'tooMany',
};

const isMessage = (text: string): text is AppPageMessage =>
  ['saved', 'signInAgain', 'credits', 'end', 'refused', 'tooMany'].includes(text);

/** The part of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(PAGES.length + 1);

/** The change that a form of the page asks for, or what the page says of its fault. */
function changeIn(
  form: URLSearchParams,
  grant: GrantEntity,
): ConnectionChangeBody | AppPageMessage {
  switch (form.get('act')) {
    case 'pause':
      return { paused: true };
    case 'resume':
      return { paused: false };
    case 'permissions':
      return permissionsIn(form, grant);
    case 'limits':
      return limitsIn(form, grant);
    default:
      return 'refused';
  }
}

const PERMISSION = 'permission:';

function permissionsIn(form: URLSearchParams, { resource }: GrantEntity) {
  const permissions = Object.fromEntries(
    [...form].flatMap(([name, word]) =>
      name.startsWith(PERMISSION) ? [[name.slice(PERMISSION.length), word]] : [],
    ),
  );
  if (!isPermissions(permissions)) return 'refused';
  // A page of another resource has no box for it.
  return { permissions, ...(resource === null && { mayAsk: form.has('mayAsk') }) };
}

function limitsIn(form: URLSearchParams, { endsAt: current }: GrantEntity) {
  const [credits, day] = [form.get('dailyCredits')?.trim() ?? '', form.get('endsOn')?.trim() ?? ''];
  const dailyCredits = credits === '' ? null : /^\d{1,7}$/.test(credits) ? Number(credits) : NaN;
  if (!isCredits(dailyCredits)) return 'credits';
  // The end of an unchanged day may be earlier on that day.
  const shown = current === null ? '' : new Date(current).toISOString().slice(0, 10);
  if (day === shown) return { dailyCredits };
  const endsAt = day === '' ? null : endOf(day);
  return isEnd(endsAt) ? { dailyCredits, endsAt } : 'end';
}

/** The last second of a UTC day as `YYYY-MM-DD`, in epoch seconds; NaN for anything else. */
const endOf = (day: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) ? epochSeconds(Date.parse(`${day}T23:59:59Z`)) : NaN;
