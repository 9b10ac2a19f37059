import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { ServiceMac } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { FreshnessService } from '../session/freshness.service.js';
import { type Session, signInFirst } from '../session/session.js';
import { BrowserSessionsService } from '../session/session.service.js';
import { SessionStore } from '../session/session.store.js';
import type { ExternalIdentity } from '../sign-up/account-policy.js';
import type { User } from '../user/user.js';
import type { ExternalIdentityEntity } from './external-identity.entity.js';
import { expectIdentity } from './external-identity.js';
import { ExternalIdentityStore } from './external-identity.store.js';

const KEY_NAME = 'identity-links';

/** As long as a session is fresh. */
const LIFETIME_MS = 10 * 60 * 1000;

const MAX_IDENTITIES = 20;

export interface LinkedIdentity extends ExternalIdentity {
  /** In epoch milliseconds. */
  readonly linkedAt: number;
}

/**
 * The identities at other issuers that are linked to accounts, and how their person links and unlinks them, by a team's
 * module that has identified the person there. The account is that of the session, never one that is guessed.
 */
@Injectable()
export class ExternalIdentities {
  private readonly mac: ServiceMac;

  constructor(
    private readonly dataSource: DataSource,
    private readonly identities: ExternalIdentityStore,
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionStore,
    private readonly freshness: FreshnessService,
    private readonly events: SecurityEventsService,
  ) {
    this.mac = new ServiceMac(dataSource, KEY_NAME);
  }

  /** Those of an account, oldest link first; none for an account that does not exist. */
  async identitiesOf(userId: string): Promise<readonly LinkedIdentity[]> {
    return (await this.identities.list(userId)).map(toLinked);
  }

  /** The account that an identity is linked to, also a disabled one; undefined without one. Throws RefusalError 400. */
  async userOf(identity: ExternalIdentity): Promise<User | undefined> {
    return (await this.identities.find(expectIdentity(identity)))?.user;
  }

  /**
   * Begins a link, in answer to a request of a page of this origin: returns what `link` asks for within 10 minutes, to be
   * kept with `state` in the cookie of the sign-in at the issuer. Without it another site could lead a signed-in person
   * through a sign-in of the attacker's own, whose identity would open the account. Throws RefusalError 401 without a
   * session, also where another site led here, and 403 unless the session is fresh and the account has a passkey.
   */
  async beginLink(request: Request): Promise<string> {
    const { origin } = ownOriginOf(request);
    const session = await this.browserSessions.get(request);
    await this.expectPasskey(session);
    await this.freshness.expect(session);
    const until = String(Date.now() + LIFETIME_MS);
    return `${until}.${await this.mac.of(origin, session.tokenHash, until)}`;
  }

  /**
   * Links an identity that the caller has verified to the account of the session that began the link, and returns the
   * account; once linked it stays so. Throws RefusalError 403 where this session began none in the last 10 minutes or is
   * not fresh, or the account has no passkey, 400 for an identity that cannot be stored, 409 for one of another account
   * or where the account has 20.
   */
  async link(request: Request, begun: string, identity: ExternalIdentity): Promise<User> {
    const { origin, carried } = await this.browserSessions.contextOfReturn(request);
    const [until = '', mac = ''] = begun.split('.');
    const isOurs = carried && (await this.mac.isOf(mac, origin, carried.tokenHash, until));
    if (!isOurs || !(Number(until) > Date.now())) throw notBegunHere();
    const { issuer, subject } = expectIdentity(identity);
    const isNew = await this.dataSource.transaction(async (manager) => {
      await this.expectActive(carried, manager);
      await this.expectPasskey(carried, manager);
      const linked = await this.identities.list(carried.user.id, manager);
      if (linked.some(isSame({ issuer, subject }))) return false;
      if (linked.length >= MAX_IDENTITIES) throw tooManyIdentities();
      if (await this.identities.link(manager, { issuer, subject }, carried.user.id)) return true;
      throw ofAnotherAccount();
    });
    if (isNew) this.emit('identity-linked', carried, origin, issuer);
    return carried.user;
  }

  /**
   * Unlinks an identity from the account of the session, which goes on; so do the account's other sessions. Throws
   * RefusalError 401 without a session, 403 unless it is fresh, 404 for an identity that is not linked to the account,
   * 409 for the only way to sign in: the last one of an account without a passkey.
   */
  async unlink(request: Request, { issuer, subject }: ExternalIdentity): Promise<void> {
    const { origin } = ownOriginOf(request);
    const session = await this.browserSessions.get(request);
    const userId = session.user.id;
    await this.dataSource.transaction(async (manager) => {
      await this.expectActive(session, manager);
      const linked = await this.identities.list(userId, manager);
      if (!linked.some(isSame({ issuer, subject }))) throw notLinked();
      if (linked.length === 1 && !(await this.freshness.hasPasskeys(userId, manager))) {
        throw onlyWayIn();
      }
      await this.identities.unlink({ issuer, subject }, userId, manager);
    });
    this.emit('identity-unlinked', session, origin, issuer);
  }

  /** Locks the account, so that of two changes at once the second sees the first. */
  private async expectActive(session: Session, manager: EntityManager) {
    if (!(await this.sessions.lock(manager, session))) throw signInFirst();
    await this.freshness.expect(session, undefined, manager);
  }

  /**
   * Without a passkey an external sign-in is enough, also by way of a recovery code that it made: an identity that an
   * attacker linked so would still open the account when its owner has a passkey.
   */
  private async expectPasskey({ user }: Session, manager?: EntityManager) {
    if (!(await this.freshness.hasPasskeys(user.id, manager))) throw addPasskeyFirst();
  }

  private emit(
    type: 'identity-linked' | 'identity-unlinked',
    { user }: Session,
    origin: string,
    issuer: string,
  ) {
    const host = URL.parse(issuer)?.hostname;
    const about = host ? { detail: host, facts: { host } } : {};
    this.events.emit({ type, userId: user.id, origin, ...about });
  }
}

const toLinked = ({ issuer, subject, createdAt }: ExternalIdentityEntity): LinkedIdentity => ({
  issuer,
  subject,
  linkedAt: createdAt,
});

const isSame =
  ({ issuer, subject }: ExternalIdentity) =>
  (linked: ExternalIdentity) =>
    linked.issuer === issuer && linked.subject === subject;

const notBegunHere = () =>
  new RefusalError(403, 'this was not begun here, or too long ago; start again from your account');

const addPasskeyFirst = () =>
  new RefusalError(403, 'this account has no passkey; add a passkey first, then link the sign-in');

const ofAnotherAccount = () =>
  new RefusalError(
    409,
    'this sign-in belongs to another account here; sign in with it, or contact an administrator of this service',
  );

const tooManyIdentities = () =>
  new RefusalError(
    409,
    `this account is linked to ${MAX_IDENTITIES} sign-ins elsewhere already; unlink one to add another`,
  );

const notLinked = () => new RefusalError(404, 'this sign-in is not linked to your account');

const onlyWayIn = () =>
  new RefusalError(409, 'this is your only way to sign in; add a passkey first, then unlink it');
