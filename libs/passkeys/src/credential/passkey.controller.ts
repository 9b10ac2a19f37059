import { Controller, Delete, Get, HttpCode, Patch, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import {
  AllowRoutedMethods,
  ChangeLimitGuard,
  CurrentSession,
  IsDisplayName,
  JsonBody,
  OwnAccountController,
  ownOriginOf,
  SecurityEventsService,
  sentencePipe,
  type Session,
  SessionChangeLimitGuard,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import type { CredentialEntity } from './credential.entity.js';
import { CredentialsService } from './credential.service.js';
import { CredentialStore } from './credential.store.js';
import { providerName } from './passkey-provider.js';

/** A passkey as its owner sees it (contract, Own passkeys); times are epoch seconds. */
export const toPasskey = (
  { id, name, aaguid, backedUp, createdAt, lastUsedAt }: CredentialEntity,
  current: Session | undefined,
) => ({
  id,
  name,
  provider: providerName(aaguid),
  synced: backedUp,
  createdAt: epochSeconds(createdAt),
  lastUsedAt: lastUsedAt === null ? null : epochSeconds(lastUsedAt),
  current: id === current?.credentialId,
});

class NewPasskeyName {
  @IsDisplayName()
  name!: string;
}

const COLLECTION = '/svc/me/passkeys';

/** The signed-in user's passkeys (contract, Own passkeys): 401, 405, 429, 413 or 400, id 404, fresh 403. */
@OwnAccountController(COLLECTION)
export class PasskeysController {
  constructor(
    private readonly store: CredentialStore,
    private readonly credentials: CredentialsService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  async list(@CurrentSession() session: Session) {
    const stored = await this.store.list(session.user.id);
    return { passkeys: stored.map((row) => toPasskey(row, session)) };
  }

  @Patch('{*rest}')
  @UseGuards(ChangeLimitGuard)
  async rename(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody(sentencePipe) { name }: NewPasskeyName,
  ) {
    const userId = session.user.id;
    const renamed = await this.store.rename(userId, idOf(request), name);
    this.events.emit({ type: 'passkey-renamed', userId, origin: ownOriginOf(request).origin });
    return { passkey: toPasskey(renamed, session) };
  }

  @Delete('{*rest}')
  @HttpCode(204)
  @UseGuards(SessionChangeLimitGuard)
  async delete(@CurrentSession() session: Session, @Req() request: Request): Promise<void> {
    const userId = session.user.id;
    const endedSessions = await this.credentials.delete(session, idOf(request));
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'passkey-removed', userId, origin, endedSessions });
  }
}

/** The rest of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(COLLECTION.length + 1);

/** Tells passkey managers where users add and manage passkeys (W3C, Passkey Endpoints). */
@Controller()
@AllowRoutedMethods({ also: ['HEAD'] })
export class PasskeyEndpointsController {
  @Get('.well-known/passkey-endpoints')
  endpoints(@Req() request: Request) {
    const page = `${ownOriginOf(request).origin}/svc/account`;
    return { enroll: page, manage: page };
  }
}
