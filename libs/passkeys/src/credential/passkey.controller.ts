import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AllowedMethods,
  BrowserSessionsService,
  ChangeLimitService,
  displayNameFault,
  expectFresh,
  methodNotAllowed,
  ownOriginOf,
  parseDisplayName,
  readOwnFields,
  RefusalError,
  SecurityEventsService,
  type Session,
} from '#libs/accounts';
import { AccountCredentialsService } from './passkey.service.js';
import { providerName } from './passkey-provider.js';

/** A passkey as its owner sees it; times are epoch seconds. */
export interface Passkey {
  readonly id: string;
  /** Null until the owner sets it. */
  readonly name: string | null;
  /** The passkey manager that stores it, when known. */
  readonly provider: string | null;
  /** Whether it was backed up at its last use; null when unknown. */
  readonly synced: boolean | null;
  readonly createdAt: number;
  /** The last sign-in with it; null before the first. */
  readonly lastUsedAt: number | null;
  /** Whether this session began with it. */
  readonly current: boolean;
}

interface StoredPasskey {
  readonly id: string;
  readonly name: string | null;
  readonly aaguid: string | null;
  readonly backedUp: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

export const toPasskey = (
  { id, name, aaguid, backedUp, createdAt, lastUsedAt }: StoredPasskey,
  { credentialId }: Pick<Session, 'credentialId'>,
): Passkey => ({
  id,
  name,
  provider: providerName(aaguid),
  synced: backedUp,
  createdAt: seconds(createdAt),
  lastUsedAt: lastUsedAt === null ? null : seconds(lastUsedAt),
  current: id === credentialId,
});

const COLLECTION = '/svc/me/passkeys';

/** The signed-in user's passkeys: list, rename, delete. Adding one is a ceremony. */
@Controller()
export class PasskeysController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly changes: ChangeLimitService,
    private readonly credentials: AccountCredentialsService,
    private readonly events: SecurityEventsService,
  ) {}

  @All(COLLECTION)
  async list(@Req() request: Request): Promise<{ passkeys: Passkey[] }> {
    const session = await this.sessions.get(request);
    if (request.method !== 'GET') throw methodNotAllowed(['GET']);
    const stored = await this.credentials.list(session.user.id);
    return { passkeys: stored.map((one) => toPasskey(one, session)) };
  }

  /** The id is the rest of the path as sent, not decoded, so that each id has only one spelling. */
  @All(`${COLLECTION}/{*rest}`)
  async one(@Req() request: Request, @Res() response: Response) {
    const session = await this.sessions.get(request);
    const id = request.path.slice(COLLECTION.length + 1);
    if (request.method === 'PATCH') response.json(await this.rename(request, session, id));
    else if (request.method === 'DELETE')
      response.status(204).end(await this.delete(request, session, id));
    else throw methodNotAllowed(['PATCH', 'DELETE']);
  }

  private async rename(request: Request, asking: Session, id: string) {
    await this.changes.count(asking);
    const { session, fields } = await readOwnFields(request, this.sessions);
    const name = parseDisplayName(fields['name']);
    if (name === undefined) throw new RefusalError(400, `name ${displayNameFault(fields['name'])}`);
    const { user } = session;
    const renamed = await this.credentials.rename(user.id, id, name);
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'passkey-renamed', userId: user.id, origin });
    return { passkey: toPasskey(renamed, session) };
  }

  private async delete(request: Request, session: Session, id: string) {
    await this.changes.countForSession(session);
    await this.credentials.get(session.user.id, id);
    expectFresh(session);
    const endedSessions = await this.credentials.delete(session, id);
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'passkey-removed', userId: session.user.id, origin, endedSessions });
  }
}

/** Tells passkey managers where users add and manage passkeys (W3C, Passkey Endpoints). */
@Controller()
export class PasskeyEndpointsController {
  @All('.well-known/passkey-endpoints')
  @AllowedMethods(['GET', 'HEAD'])
  endpoints(@Req() request: Request) {
    const page = `${ownOriginOf(request).origin}/svc/account`;
    return { enroll: page, manage: page };
  }
}
