import type { Abstract } from '@nestjs/common';
import { AccountPolicy, ActivityReader, BudgetReader } from '#libs/accounts';
import { BudgetLimits, BudgetStore } from '#libs/budget';
import { CodeRunner, ContentScreener, UserRunLimit } from '#libs/code-runner';
import { AccountResources, AccountTools, Cancellations, OfferPolicy } from '#libs/mcp';
import {
  AccessPolicy,
  AuthorizationPages,
  ClientDocumentCache,
  ClientPolicy,
  RegistrationBudget,
} from '#libs/oauth';
import { ChallengeStore } from '#libs/passkeys';
import { OpenRequests, TabBus, TabPresence } from '#libs/tab-hub';
import { AccountPages } from '#libs/ui-templates';
import { AccountExport } from './export/account-export.js';
import { EventSink } from './outbox/event-sink.js';

type Methods<Port> = {
  [Name in keyof Port as Port[Name] extends (...args: never[]) => unknown ? Name : never]: true;
};

/** The compiler requires every method to be named: abstract ones are not there when the service runs. */
const port = <Token extends Abstract<object>>(
  token: Token,
  methods: Methods<Token['prototype']>,
) => ({ token, methods: Object.keys(methods) });

export const REPLACEABLE_PORTS = {
  accountExport: [port(AccountExport, { dataOf: true })],
  accountPage: [port(AccountPages, { signedOut: true, account: true, recover: true })],
  accounts: [
    port(AccountPolicy, { refusalOf: true }),
    port(ActivityReader, { list: true }),
    port(BudgetReader, { find: true }),
  ],
  budget: [
    port(BudgetLimits, { limitOf: true }),
    port(BudgetStore, {
      read: true,
      reserve: true,
      forget: true,
      giveBack: true,
      reset: true,
      reserveWithin: true,
      giveBackWithin: true,
      usedBy: true,
    }),
  ],
  code: [port(CodeRunner, { run: true }), port(UserRunLimit, { acquire: true, release: true })],
  events: [port(EventSink, { deliver: true })],
  mcp: [
    port(AccountResources, { list: true, read: true, onChanged: true }),
    port(AccountTools, { list: true, find: true, onChanged: true }),
    port(Cancellations, { publish: true, listen: true }),
    port(OfferPolicy, { offered: true }),
  ],
  oauth: [
    port(AccessPolicy, { decide: true }),
    port(AuthorizationPages, { signIn: true, consent: true, openInTab: true, refused: true }),
    port(ClientDocumentCache, { find: true, putDocument: true, keep: true, putRefusal: true }),
    port(ClientPolicy, { refusalOf: true }),
    port(RegistrationBudget, { spend: true }),
  ],
  passkeys: [port(ChallengeStore, { put: true, take: true })],
  screening: [port(ContentScreener, { screen: true })],
  tabs: [
    port(OpenRequests, { of: true, onChanged: true }),
    port(TabBus, { subscribe: true, publish: true, onLost: true }),
    port(TabPresence, {
      add: true,
      update: true,
      offer: true,
      remove: true,
      list: true,
      tools: true,
      find: true,
      has: true,
      onLost: true,
    }),
  ],
} as const;

export type ReplaceablePort<Name extends keyof typeof REPLACEABLE_PORTS> =
  (typeof REPLACEABLE_PORTS)[Name][number]['token'];

/** The methods that a replacement of this token lacks; none where it is no port. Null is a port that nothing fills. */
export const lackingMethods = (token: unknown, replacement: unknown): readonly string[] => {
  if (replacement === null) return [];
  const found = Object.values(REPLACEABLE_PORTS)
    .flat()
    .find((one) => one.token === token);
  const members = Object(replacement) as Readonly<Record<string, unknown>>;
  return (found?.methods ?? []).filter((name) => typeof members[name] !== 'function');
};
