import { forwardRef, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { getStorageToken } from '@nestjs/throttler';
import { AccountPolicy, BudgetReader, ConfiguredAccountPolicy } from '#libs/accounts';
import { BudgetLimits, BudgetStore } from '#libs/budget';
import { CodeRunner, ContentScreener, UserRunLimit } from '#libs/code-runner';
import { AccountResources, AccountTools, OfferPolicy } from '#libs/mcp';
import {
  AuthorizationPages,
  ClientDocumentCache,
  ClientPolicy,
  RegistrationBudget,
} from '#libs/oauth';
import { ChallengeStore } from '#libs/passkeys';
import { TabBus, TabPresence } from '#libs/tab-hub';
import { AccountPages } from '#libs/ui-templates';
import type { Extension, Replaceable } from './app.module-definition.js';
import { readServiceVersion } from './config/service-version.js';
import { MAJOR_VERSION } from './app.module-definition.js';
import { expectFit, expectWrittenForThis, ExtensionError } from './extension-fit.js';
import { AccountExport } from './export/account-export.js';
import { EventSink } from './outbox/event-sink.js';
import { lackingMethods } from './replaceable-ports.js';

class AcmeAccountPolicy extends ConfiguredAccountPolicy {}

class AcmeClientPolicy extends ClientPolicy {
  async refusalOf() {
    return undefined;
  }
}

@Injectable()
class AcmeDirectory {}

/** A port as a second copy of the package defines it. */
const { ClientPolicy: OtherClientPolicy } = {
  ClientPolicy: class {
    static readonly portOf = 'oauth';
    refusalOf = undefined;
  },
};
const useValue = {};
const pages = { provide: AuthorizationPages, useValue };

abstract class AcmeBroker {
  abstract publish(): void;
}

/** The ports that docs/guides/extending.md lists, by module. */
const PORTS = {
  accountExport: [AccountExport],
  accountPage: [AccountPages],
  accounts: [AccountPolicy, BudgetReader, getStorageToken()],
  budget: [BudgetLimits, BudgetStore],
  code: [CodeRunner, UserRunLimit],
  events: [EventSink],
  mcp: [AccountResources, AccountTools, OfferPolicy],
  oauth: [AuthorizationPages, ClientDocumentCache, ClientPolicy, RegistrationBudget],
  passkeys: [ChallengeStore],
  screening: [ContentScreener],
  tabs: [TabBus, TabPresence],
} satisfies Partial<Record<Replaceable, Provider[] | unknown[]>>;

const nameOf = (port: unknown) => (typeof port === 'function' ? port.name : String(port));

const ALL = Object.entries(PORTS).flatMap(([home, ports]) =>
  ports.map((port: unknown) => ({ home, port, name: nameOf(port) })),
);

/** The lines with which an extension of untyped JavaScript is refused. */
function refusal(members: object): string[] {
  try {
    expectFit({ gatehouse: 1, ...members } as Extension, 'acme');
  } catch (error) {
    if (error instanceof ExtensionError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a replacement', () => {
  it.each(ALL)('of $name is taken in $home', ({ home, port }) => {
    expect(refusal({ replacements: { [home]: [{ provide: port, useValue: {} }] } })).toEqual([]);
  });

  it.each(ALL)('of $name is refused in any module but $home', ({ home, port, name }) => {
    for (const place of Object.keys(PORTS).filter((other) => other !== home)) {
      const [own] = PORTS[place as keyof typeof PORTS];
      const providers = [
        { provide: own, useValue: {} },
        { provide: port, useValue: {} },
      ];
      expect(refusal({ replacements: { [place]: providers } })).toEqual([
        `acme: replacements.${place} has ${name}, which is of ${home}: list it in replacements.${home}`,
      ]);
    }
  });

  it('may have providers of the team’s own beside it', () => {
    const extension: Extension = {
      gatehouse: 1,
      replacements: {
        accounts: [
          { provide: AccountPolicy, useClass: AcmeAccountPolicy },
          AcmeDirectory,
          { provide: AcmeBroker, useValue: {} },
          { provide: 'acme', useFactory: () => 1 },
          { provide: Symbol('acme'), useValue: undefined },
        ],
        oauth: [AcmeClientPolicy, { provide: ClientPolicy, useExisting: AcmeClientPolicy }],
        passkeys: [],
      },
    };
    expect(refusal(extension)).toEqual([]);
  });

  const misplaced: [string, object, RegExp][] = [
    [
      'a module that does not exist',
      { acounts: [{ provide: AccountPolicy, useValue: {} }] },
      /^acme: there is no module in replacements "acounts"; there are accountExport, accountPage, accounts, budget, /,
    ],
    [
      'a module without replacements',
      { metrics: [AcmeDirectory] },
      /^acme: there is no module in replacements "metrics"; /,
    ],
    [
      'a class in place of its port',
      { oauth: [pages, AcmeClientPolicy] },
      /^acme: replacements\.oauth has AcmeClientPolicy, and replaces no ClientPolicy: that is by \{ provide: ClientPolicy, … \} in replacements\.oauth$/,
    ],
    [
      'nothing of its module',
      { oauth: [{ provide: 'acme', useValue: {} }, AcmeDirectory] },
      /^acme: replacements\.oauth has acme, AcmeDirectory, and replaces nothing of oauth$/,
    ],
    [
      'a port of a second copy',
      { oauth: [pages, { provide: OtherClientPolicy, useValue }] },
      /^acme: replacements\.oauth has a ClientPolicy that is not the one of Gatehouse: /,
    ],
    [
      'a name of a port beside a replacement',
      { oauth: [pages, { provide: 'ClientPolicy', useValue }] },
      /^acme: replacements\.oauth has a ClientPolicy that is not the one of Gatehouse: /,
    ],
    [
      'a global guard',
      { accounts: [{ provide: APP_GUARD, useValue: {} }] },
      /^acme: replacements\.accounts has APP_GUARD: it would apply to the service's own routes; /,
    ],
  ];

  it.each(misplaced)('that has %s is refused in one line', (_what, replacements, line) => {
    const lines = refusal({ replacements });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });

  it('is refused with a line for each fault', () => {
    const replacements = {
      accounts: [{ provide: ClientPolicy, useValue: {} }],
      oauht: [pages],
    };
    expect(refusal({ replacements, replacement: {} })).toHaveLength(3);
  });
});

describe('a member of an extension', () => {
  it.each([
    [
      'unknown',
      { replacement: {} },
      /^acme: there is no member "replacement"; there are gatehouse, /,
    ],
    [
      'for a module that cannot be left out',
      { without: ['oauth'] },
      /^acme: there is no member of without "oauth"; there are accountPage$/,
    ],
  ])('that is %s is refused in one line', (_what, members, line) => {
    const lines = refusal(members);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });

  it('that does not fit does not compile', () => {
    const useClas = AcmeClientPolicy;
    const forward = forwardRef(() => ClientPolicy);
    const misfits: Extension[] = [
      // @ts-expect-error A port of another module.
      { gatehouse: 1, replacements: { accounts: [{ provide: ClientPolicy, useValue }] } },
      // @ts-expect-error A reference forward.
      { gatehouse: 1, replacements: { oauth: [{ provide: forward, useValue }] } },
      // @ts-expect-error A class that extends one.
      { gatehouse: 1, replacements: { accounts: [AcmeClientPolicy] } },
      // @ts-expect-error A misspelt module.
      { gatehouse: 1, replacements: { acounts: [{ provide: AccountPolicy, useValue }] } },
      // @ts-expect-error A misspelt member of a provider.
      { gatehouse: 1, replacements: { oauth: [{ provide: ClientPolicy, useClas }] } },
      // @ts-expect-error A misspelt member.
      { gatehouse: 1, replacement: {} },
      // @ts-expect-error A misspelt module that is to be left out.
      { gatehouse: 1, without: ['acountPage'] },
      // @ts-expect-error A misspelt member of the brand.
      { gatehouse: 1, brand: { colour: '#0000aa' } },
      // @ts-expect-error No plain object.
      { gatehouse: 1, replacements: new Map([['oauth', [pages]]]) },
    ];
    expect(misfits).toHaveLength(9);
  });
});

describe('what replaces a port', () => {
  class Policy {
    refusalOf() {
      return Promise.resolve(undefined);
    }
  }
  class Store {
    async read(_userId: string, day: string) {
      return { day, used: 0 };
    }
  }

  it('does not compile where it lacks a method of the port', () => {
    const [budget, oauth, accounts] = [BudgetStore, ClientPolicy, AccountPolicy];
    const useFactory = () => new Store();
    const extensions: Extension[] = [
      { gatehouse: 1, replacements: { oauth: [{ provide: oauth, useClass: Policy }] } },
      // @ts-expect-error A class.
      { gatehouse: 1, replacements: { budget: [{ provide: budget, useClass: Store }] } },
      // @ts-expect-error A value.
      { gatehouse: 1, replacements: { budget: [{ provide: budget, useValue: new Store() }] } },
      // @ts-expect-error A factory.
      { gatehouse: 1, replacements: { budget: [{ provide: budget, useFactory }] } },
      // @ts-expect-error A property.
      { gatehouse: 1, replacements: { accounts: [{ provide: accounts, useClass: Policy }] } },
    ];
    expect(extensions).toHaveLength(5);
  });

  it.each(ALL.filter(({ port }) => typeof port === 'function'))(
    'needs methods: $name',
    ({ port }) => {
      expect(lackingMethods(port, {})).not.toEqual([]);
    },
  );
});

describe('what an extension was written for', () => {
  it('is the first number of the version of this package', () => {
    expect(readServiceVersion()).toMatch(new RegExp(`^${MAJOR_VERSION}\\.\\d+\\.\\d+$`));
    expect(() => expectWrittenForThis({ gatehouse: MAJOR_VERSION }, 'x')).not.toThrow();
  });

  it('is refused where it is another one', () => {
    expect(() => expectWrittenForThis({ gatehouse: 0 }, 'acme.js')).toThrow(
      /^acme\.js was written for Gatehouse 0, and this is Gatehouse \d+\.\d+\.\d+: take another version/,
    );
  });

  it.each([undefined, '1', null])('is required: %p', (gatehouse) => {
    expect(() => expectWrittenForThis({ gatehouse }, 'acme.js')).toThrow(
      /^acme\.js does not say which Gatehouse it was written for: .* it has gatehouse: \d+$/,
    );
  });
});
