import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import {
  RefusalError,
  type SecurityEvent,
  type SecurityEventType,
  SecurityEventsService,
  type Session,
  type User,
} from '#libs/accounts';
import { currentWork, OutageLog, Semaphore, whileWaiting } from '#libs/platform';
import { AccessDecisionsService } from '../access-policy/access-decision.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { type Approval, type CallToApprove, isOpen, subjectOf } from './approval.js';
import { ApprovalPasskeys } from './approval-passkeys.js';
import { ApprovalSignals } from './approval-signals.js';
import { ApprovalStore, type Asked, type CallLimit, type Decision } from './approval.store.js';

/**
 * A waiting call finds this late what no signal told: one that was lost, a blocked client, a disabled account, a change
 * by a command.
 */
const LOOK_MS = 1_000;

/** Events after which open requests of a connection may have ended without a decision. */
const ENDING: ReadonlySet<SecurityEventType> = new Set([
  'app-disconnected',
  'connection-changed',
  'grant-replaced',
  'token-replayed',
  'token-revoked',
]);

type Person = Pick<User, 'id'>;

/** Calls that people are asked about, and their decisions. */
@Injectable()
export class ApprovalService implements OnModuleInit {
  private readonly outage = new OutageLog(new Logger(ApprovalService.name));
  private readonly listeners = new Set<(userId: string) => void>();
  /** The store asks about one call of an account after the other: those that wait here are no work meanwhile. */
  private readonly asking = new Semaphore({ perKey: 1 });

  constructor(
    private readonly store: ApprovalStore,
    private readonly signals: ApprovalSignals,
    private readonly passkeys: ApprovalPasskeys,
    private readonly events: SecurityEventsService,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'approvals'>,
    private readonly access: AccessDecisionsService,
  ) {}

  onModuleInit() {
    this.signals.listen((userId) => {
      for (const listener of this.listeners) listener(userId);
    });
    this.events.listen(({ type, userId, grantId }) => {
      if (userId === null || !ENDING.has(type)) return;
      const isOver = type !== 'connection-changed' && grantId !== undefined;
      void this.endRequests(userId, isOver ? grantId : undefined);
    });
  }

  /** Calls `listener` at each change of an account's requests, on any replica, until the returned function runs. */
  onChanged(listener: (userId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Rejects with the reason of `signal` where that fires before the account's earlier calls were asked about. */
  async ask(call: CallToApprove, signal?: AbortSignal): Promise<Asked> {
    const { userId } = call;
    if (!(await whileWaiting(() => this.asking.acquire(userId, signal)))) throw signal?.reason;
    const asking = this.store.ask(this.withPasskey(call));
    const asked = await asking.finally(() => this.asking.release(userId));
    if ('isNew' in asked || asked.outcome === 'approved') this.signals.publish(userId);
    return asked;
  }

  /** Why its person would not be asked for a permission now, whatever the call; undefined where they may be. */
  async refusalOf(
    of: Pick<CallToApprove, 'userId' | 'grantId' | 'scope'>,
  ): Promise<'refused' | 'full' | undefined> {
    return this.store.refusalOf(of);
  }

  /**
   * Waits for the decision, on any replica, at most this long. Resolves with the request as it is then, open where
   * there is no decision; undefined when it is gone.
   */
  async wait(
    { id, userId }: Pick<Approval, 'id' | 'userId'>,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Approval | undefined> {
    return whileWaiting(async () => {
      const found = await this.waitUntil(performance.now() + timeoutMs, { id, userId }, signal);
      // Its client has left: hundreds that leave at once would be work again, although nothing is left to do.
      if (signal.aborted) currentWork()?.end();
      return found;
    });
  }

  private async waitUntil(
    until: number,
    { id, userId }: Pick<Approval, 'id' | 'userId'>,
    signal: AbortSignal,
  ) {
    for (;;) {
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
      const look = () => wake();
      const stop = this.onChanged((changed) => changed === userId && wake());
      signal.addEventListener('abort', look, { once: true });
      try {
        const found = await this.store.find(id);
        const left = until - performance.now();
        if (!found || !isOpen(found) || left <= 0 || signal.aborted) return found;
        const timer = setTimeout(look, Math.min(LOOK_MS, left)).unref();
        await woken;
        clearTimeout(timer);
      } finally {
        stop();
        signal.removeEventListener('abort', look);
      }
    }
  }

  /** Ends the open requests of a connection that is over, which count as expired already, and tells all replicas. */
  private async endRequests(userId: string, grantId: string | undefined) {
    await this.outage.watch(
      async () => grantId !== undefined && this.store.endOf(grantId),
      'requests of apps that were disconnected keep their arguments until they are swept',
      'requests of apps that were disconnected lose their arguments at once again',
    );
    this.signals.publish(userId);
  }

  /** Uses up a decision that calls have waited for; of parallel calls, on all replicas, one returns true. */
  async spend(id: string): Promise<boolean> {
    return this.store.spend(id);
  }

  /** The limit of a call that has waited for a yes; undefined where that allows it no longer. */
  async limitOf(decided: Approval): Promise<CallLimit | undefined> {
    return this.store.limitOf(decided);
  }

  /** Whether its person has not taken back a decision `once` that a call has used up. @internal */
  async isHeld(approval: Approval): Promise<boolean> {
    return this.store.isHeld(approval);
  }

  /** Makes a decision `once` that was spent good for one more call, until its time is over. */
  async giveBack(id: string): Promise<void> {
    await this.store.giveBack(id);
  }

  async listOpen(userId: string): Promise<readonly Approval[]> {
    return (await this.store.listOpen(userId)).map((approval) => this.withPasskey(approval));
  }

  /** A request of this account, until an hour after it ended. */
  async find({ id: userId }: Person, id: string): Promise<Approval | undefined> {
    const found = await this.store.find(id);
    return found?.userId === userId ? this.withPasskey(found) : undefined;
  }

  /** As it is here and now: another replica may have asked while a click was enough. */
  private withPasskey<T extends Pick<Approval, 'needsPasskey'>>(request: T): T {
    const needsPasskey = request.needsPasskey || this.options.approvals === 'passkey';
    return { ...request, needsPasskey };
  }

  /** Throws RefusalError 404. */
  async get(person: Person, id: string): Promise<Approval> {
    const found = await this.find(person, id);
    if (!found) throw new RefusalError(404, 'no such request');
    return found;
  }

  /** Options for the passkey that confirms a decision. Throws RefusalError 404, and 409 when the request has ended. */
  async passkeyOptions(person: Person, id: string, origin: string): Promise<object> {
    const approval = expectOpen(await this.get(person, id));
    return this.passkeys.options(person, origin, subjectOf(approval));
  }

  /**
   * Decides about a request, and returns it. Throws RefusalError 404, 409 when it has ended, 400 for `always` where the
   * tool needs a yes each time, 400 and 503 for a yes that the access policy does not give, 403 without the passkey that
   * it needs, 401 when the session has ended since it was read.
   */
  async decide(
    session: Session,
    id: string,
    { decision, assertion }: { readonly decision: Decision; readonly assertion?: unknown },
    from: Pick<SecurityEvent, 'origin'>,
  ): Promise<Approval> {
    const { user: person } = session;
    const approval = expectOpen(await this.get(person, id));
    if (decision === 'always' && !approval.mayAllowAlways) {
      throw new RefusalError(400, 'this needs a yes each time; allow it once');
    }
    // The policy may have narrowed since the request was made, and the person turned the scope off.
    if (decision !== 'no') await this.access.expectGiven(approval.grantId, approval.scope);
    const byPasskey = decision !== 'no' && approval.needsPasskey;
    const confirmation = byPasskey
      ? await this.passkeys.verify(person, String(from.origin), subjectOf(approval), assertion)
      : undefined;
    const by = { session, confirmation };
    if (!(await this.store.decide(approval, decision, byPasskey, by))) throw ended();
    this.signals.publish(person.id);
    this.emit(approval, decision, byPasskey, from);
    return this.get(person, id);
  }

  private emit(
    { grantId, userId, app, scope, method, name, title }: Approval,
    decision: Decision,
    byPasskey: boolean,
    from: Pick<SecurityEvent, 'origin'>,
  ) {
    const about = { userId, app, grantId, ...from };
    // The URI of a resource says what is read, as arguments do, which are not kept.
    const called = { title, ...(method !== 'resources/read' && { name }) };
    if (decision === 'no') {
      this.events.emit({ ...about, type: 'request-refused', facts: called });
      return;
    }
    const facts = { ...called, passkey: byPasskey };
    this.events.emit({ ...about, type: 'request-approved', facts });
    if (decision !== 'always') return;
    const changed = `${scope}=allow`;
    this.events.emit({ ...about, type: 'connection-changed', detail: changed, facts: { changed } });
  }
}

function expectOpen(approval: Approval): Approval {
  if (isOpen(approval)) return approval;
  throw ended();
}

const ended = () =>
  new RefusalError(
    409,
    'this was answered, or waited longer than 10 minutes; the app can ask again',
  );
