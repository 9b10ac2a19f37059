import { Injectable, Logger, Optional } from '@nestjs/common';
import {
  ExternalIdentityStore,
  RefusalError,
  SecurityEventsService,
  type Session,
  UserStore,
} from '#libs/accounts';
import { isJsonObject } from '#libs/platform';
import { publishedBy } from '../client/client.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { type GrantParties, resourceOfGrant } from '../grant/grant.js';
import { GrantStore } from '../grant/grant.store.js';
import { OAuthError } from '../oauth-error.js';
import { ResourcesService } from '../resource/resource.js';
import { scopeNames } from '../scope.js';
import type { LookedUpToken } from '../token/token.js';
import { AccessPolicy, type AccessRequest, type ConnectingClient } from './access-policy.js';

const DECISION_MS = 5_000;

/** What an answer is about, as its step knows it. */
export interface AccessQuestion extends Omit<AccessRequest, 'person' | 'client'> {
  readonly userId: string;
  readonly client: Omit<ConnectingClient, 'published'>;
}

/** The policy refuses; the message is its sentence. */
export class AccessRefusedError extends RefusalError {
  constructor(
    sentence: string,
    readonly endsConnection = false,
  ) {
    super(400, sentence);
  }
}

/** What the policy is asked about a grant. */
export const questionOf = (grant: GrantParties) => ({
  userId: grant.userId,
  resource: resourceOfGrant(grant),
  client: {
    id: grant.clientId,
    name: grant.app || grant.clientId,
    redirectHosts: JSON.parse(grant.clientHosts ?? '[]') as string[],
  },
});

/** What RFC 6749 §5.2 lets `error_description` have. */
const DESCRIPTION = /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,300}$/;

/** The policy's sentence for the app, which shows it to people or to developers; one of our own for other letters. */
export function descriptionOf({ message }: AccessRefusedError): string {
  const plain = message.replaceAll(/[’‘“”"]/g, "'");
  return DESCRIPTION.test(plain) ? plain : 'this service does not let this person connect this app';
}

/** A refusal as the token endpoint says it. */
export function asTokenError(error: unknown): unknown {
  if (error instanceof AccessRefusedError) {
    return new OAuthError(400, 'invalid_grant', descriptionOf(error), {}, error.message);
  }
  if (!(error instanceof RefusalError) || error.status !== 503) return error;
  return new OAuthError(503, 'temporarily_unavailable', error.message, error.headers);
}

/** Asks the team's policy, where there is one; without one nothing is read and all is given. */
@Injectable()
export class AccessDecisionsService {
  private readonly logger = new Logger(AccessDecisionsService.name);

  constructor(
    private readonly users: UserStore,
    private readonly identities: ExternalIdentityStore,
    private readonly grants: GrantStore,
    readonly resources: ResourcesService,
    private readonly events: SecurityEventsService,
    @Optional() private readonly policy?: AccessPolicy,
  ) {}

  /**
   * Those of the scopes that the client may have for this person, at least one, in their order. Throws
   * AccessRefusedError, and RefusalError 503 where the policy does not decide.
   */
  async narrow(question: AccessQuestion): Promise<readonly string[]> {
    const { scopes } = question;
    if (!this.policy) return scopes;
    const decision = await this.ask(this.policy, question).catch((error: unknown) => {
      this.logger.error(`the access policy did not decide: ${String(error)}`);
      throw undecided(error);
    });
    if (decision === 'allow') return scopes;
    if (decision.refusal !== undefined) {
      throw new AccessRefusedError(decision.refusal, decision.endsConnection);
    }
    const allowed = scopes.filter((scope) => decision.scopes.includes(scope));
    if (allowed.length === 0) throw new AccessRefusedError(NOTHING_LEFT);
    return allowed;
  }

  /** At the page and at its answer; the refusal where there is one. Throws RefusalError 503 as `narrow`. */
  async atConsent(
    { user }: Session,
    origin: string,
    question: Omit<AccessQuestion, 'userId' | 'step'>,
  ): Promise<readonly string[] | AccessRefusedError> {
    try {
      return await this.narrow({ ...question, userId: user.id, step: 'consent' });
    } catch (error) {
      if (!(error instanceof AccessRefusedError)) throw error;
      const { id: clientId, name: app } = question.client;
      const about = { userId: user.id, clientId, app, origin, detail: error.message };
      this.events.emit({ type: 'authorization-refused', ...about });
      return error;
    }
  }

  /** For a verified code or refresh token. A refusal ends the grant only where it says so. Throws OAuthError 400, 503. */
  async forToken({ token }: LookedUpToken, step: 'code' | 'refresh', scopes: readonly string[]) {
    if (!token || !this.policy) return scopes;
    const { grant } = token;
    try {
      return await this.narrow({ ...questionOf(grant), step, scopes });
    } catch (error) {
      const ends = error instanceof AccessRefusedError && error.endsConnection;
      if (ends && (await this.grants.disconnect(grant))) {
        const { id: grantId, userId, clientId, app, origin } = grant;
        const about = { userId, clientId, app, grantId, origin };
        this.events.emit({ type: 'app-disconnected', ...about, actor: 'access-policy' });
      }
      throw asTokenError(error);
    }
  }

  /** Whether there is a policy. */
  get isAsked(): boolean {
    return this.policy !== undefined;
  }

  /** The scopes that the person of a grant may let its app have. Throws as `narrow`. */
  async givenTo(grant: GrantEntity): Promise<readonly string[]> {
    const question = questionOf(grant);
    const { scopes = [] } = this.resources.find(grant.origin, question.resource) ?? {};
    return this.narrow({ ...question, scopes: scopeNames(scopes), step: 'change' });
  }

  /** Throws as `givenTo`, and AccessRefusedError for a scope that is not among them. */
  async expectGiven(grantId: string, scope: string): Promise<void> {
    const grant = this.policy && (await this.grants.findActive(grantId));
    if (!grant || (await this.givenTo(grant)).includes(scope)) return;
    throw new AccessRefusedError(NOT_GIVEN);
  }

  /** Throws Error where the policy gives no decision in time. */
  private async ask(policy: AccessPolicy, question: AccessQuestion): Promise<Read> {
    const signal = AbortSignal.timeout(DECISION_MS);
    const late = new Promise<never>((_resolve, reject) => {
      const onLate = () => reject(new Error(`no answer within ${DECISION_MS} ms`));
      signal.addEventListener('abort', onLate, { once: true });
    });
    const decided = async () => policy.decide(await this.requestOf(question), signal);
    return readDecision(await Promise.race([late, decided()]));
  }

  private async requestOf({ userId, client, ...asked }: AccessQuestion): Promise<AccessRequest> {
    const [user, linked] = await Promise.all([
      this.users.find(userId),
      this.identities.list(userId),
    ]);
    if (!user) throw new Error('the account is gone');
    const { id, displayName, createdAt } = user;
    const identities = linked.map(({ issuer, subject }) => ({ issuer, subject }));
    const person = { id, displayName, createdAt, identities };
    return { ...asked, person, client: { ...client, published: publishedBy(client.id) } };
  }
}

type Read =
  | 'allow'
  | { readonly scopes: readonly unknown[]; readonly refusal?: undefined }
  | { readonly refusal: string; readonly endsConnection: boolean };

/** Throws Error for what is no decision: a policy that forgets to return one refuses all. */
function readDecision(decision: unknown): Read {
  if (decision === 'allow') return decision;
  if (isJsonObject(decision)) {
    const { refusal, scopes, endsConnection } = decision;
    if (typeof refusal === 'string' && refusal.trim() !== '') {
      return { refusal: refusal.trim(), endsConnection: endsConnection === true };
    }
    if (refusal === undefined && Array.isArray(scopes)) return { scopes };
  }
  throw new Error('it returned something that is no decision');
}

export const NOT_GIVEN = 'this service does not give the app that permission';

const NOTHING_LEFT = 'This service gives this app no permission for your account.';

const UNDECIDED = 'whether this app may have access cannot be decided right now; try again';

const undecided = (cause: unknown) =>
  new RefusalError(503, UNDECIDED, { 'Retry-After': '5' }, { cause });
