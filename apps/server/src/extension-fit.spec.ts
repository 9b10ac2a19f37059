import { forwardRef, Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { getStorageToken } from '@nestjs/throttler';
import { AccountPolicy, BudgetReader, ConfiguredAccountPolicy } from '#libs/accounts';
import { BudgetLimits, BudgetService, BudgetStore } from '#libs/budget';
import { CodeRunner, ContentScreener, UserRunLimit } from '#libs/code-runner';
import { AccountResources, AccountTools, ToolPolicy } from '#libs/mcp';
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
  accountPage: [AccountPages],
  accounts: [AccountPolicy, BudgetReader, getStorageToken()],
  budget: [BudgetLimits, BudgetStore],
  code: [CodeRunner, UserRunLimit],
  events: [EventSink],
  mcp: [AccountResources, AccountTools, ToolPolicy],
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
      'a service of another module',
      { accounts: [{ provide: AccountPolicy, useValue: {} }, BudgetService] },
      /^acme: replacements\.accounts has BudgetService, which is of budget: list it in /,
    ],
    [
      'a module that does not exist',
      { acounts: [{ provide: AccountPolicy, useValue: {} }] },
      /^acme: replacements has no module "acounts"; there are accountPage, accounts, budget, /,
    ],
    [
      'a module without replacements',
      { metrics: [AcmeDirectory] },
      /^acme: replacements has no module "metrics"; /,
    ],
    [
      'a class in place of its port',
      { oauth: [pages, AcmeClientPolicy] },
      /^acme: replacements\.oauth has AcmeClientPolicy, and replaces no ClientPolicy: that is by \{ provide: ClientPolicy, … \} in replacements\.oauth$/,
    ],
    [
      'a class under a name',
      { oauth: [{ provide: 'ClientPolicy', useClass: AcmeClientPolicy }] },
      /^acme: replacements\.oauth has AcmeClientPolicy, and replaces no ClientPolicy: /,
    ],
    [
      'a class for another port',
      { accounts: [{ provide: AccountPolicy, useClass: AcmeClientPolicy }] },
      /^acme: replacements\.accounts has AcmeClientPolicy, and replaces no ClientPolicy: .* in replacements\.oauth$/,
    ],
    [
      'nothing of its module',
      { oauth: [{ provide: 'ClientPolicy', useValue: {} }, AcmeDirectory] },
      /^acme: replacements\.oauth has ClientPolicy, AcmeDirectory, and replaces nothing of oauth$/,
    ],
    [
      'no token',
      { oauth: [{ provide: undefined, useClass: AcmeClientPolicy }] },
      /^acme: replacements\.oauth has a provider without a token$/,
    ],
    [
      'no provider',
      { oauth: [undefined] },
      /^acme: replacements\.oauth has a provider without a token$/,
    ],
    [
      'no class',
      { oauth: [{ provide: ClientPolicy, useClass: undefined }] },
      /^acme: replacements\.oauth has ClientPolicy with nothing to take its place$/,
    ],
    [
      'a misspelt member',
      { oauth: [{ provide: ClientPolicy, useClas: AcmeClientPolicy }] },
      /^acme: replacements\.oauth has ClientPolicy with nothing to take its place$/,
    ],
    [
      'an instance for another port',
      { accounts: [{ provide: AccountPolicy, useValue: new AcmeClientPolicy() }] },
      /^acme: replacements\.accounts has AcmeClientPolicy, and replaces no ClientPolicy: .* in replacements\.oauth$/,
    ],
    [
      'a port of a second copy',
      { oauth: [pages, { provide: OtherClientPolicy, useValue }] },
      /^acme: replacements\.oauth has a ClientPolicy that is not the one of Gatehouse, and replaces nothing: /,
    ],
    [
      'a port of a second copy alone',
      { oauth: [{ provide: OtherClientPolicy, useValue }] },
      /^acme: replacements\.oauth has ClientPolicy, and replaces nothing of oauth$/,
    ],
    [
      'a name of a port beside a replacement',
      { oauth: [pages, { provide: 'ClientPolicy', useValue }] },
      /^acme: replacements\.oauth has a ClientPolicy that is not the one of Gatehouse, /,
    ],
    [
      'a symbol of a port beside a replacement',
      {
        accounts: [
          { provide: AccountPolicy, useValue },
          { provide: Symbol('ClientPolicy'), useValue },
        ],
      },
      /^acme: replacements\.accounts has a ClientPolicy that is not the one of Gatehouse, /,
    ],
    [
      'a reference forward',
      { oauth: [pages, { provide: forwardRef(() => ClientPolicy), useValue }] },
      /^acme: replacements\.oauth has a reference forward to ClientPolicy, which is no token: name the class itself$/,
    ],
    [
      'two for one token',
      {
        oauth: [
          { provide: ClientPolicy, useClass: AcmeClientPolicy },
          { provide: ClientPolicy, useValue },
        ],
      },
      /^acme: replacements\.oauth has ClientPolicy twice, and only the last would count$/,
    ],
    [
      'two in one',
      { oauth: [{ provide: ClientPolicy, useClass: AcmeClientPolicy, useValue }] },
      /^acme: replacements\.oauth has ClientPolicy with useClass and useValue, and only one would count$/,
    ],
    [
      'itself',
      { oauth: [{ provide: ClientPolicy, useExisting: ClientPolicy }] },
      /^acme: replacements\.oauth has ClientPolicy with nothing to take its place$/,
    ],
    [
      'no list',
      { oauth: { provide: ClientPolicy, useValue } },
      /^acme: replacements\.oauth is no list of providers$/,
    ],
    [
      'a global guard',
      { accounts: [{ provide: APP_GUARD, useValue: {} }] },
      /^acme: replacements\.accounts has APP_GUARD: it would apply to the service's own routes; /,
    ],
    [
      'a global interceptor beside a replacement',
      {
        oauth: [pages, { provide: APP_INTERCEPTOR, useClass: AcmeDirectory }],
      },
      /^acme: replacements\.oauth has APP_INTERCEPTOR: it would apply to /,
    ],
  ];

  it.each(misplaced)('that has %s is refused in one line', (_what, replacements, line) => {
    const lines = refusal({ replacements });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });

  it('of a module that is left out is refused', () => {
    const replacements = { accountPage: [{ provide: AccountPages, useValue: {} }] };
    expect(refusal({ replacements, without: ['accountPage'] })).toEqual([
      'acme: replacements.accountPage replaces nothing, since without leaves accountPage out',
    ]);
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
      'unknown, in texts',
      { texts: [{ locale: 'en', page: {} }] },
      /^acme: there is no member "page" in texts; there are locale, pages, account$/,
    ],
    [
      'unknown, in brand',
      { brand: { accent: '#0000aa', colour: '#0000aa' } },
      /^acme: there is no member "colour" in brand; there are style, accent, /,
    ],
    [
      'unknown, in scopes',
      { scopes: [{ name: 'acme:read', description: 'see', text: { de: 'sehen' } }] },
      /^acme: there is no member "text" in scopes; there are name, description, texts$/,
    ],
    [
      'no plain object of modules',
      { replacements: new Map([['oauth', [pages]]]) },
      /^acme: replacements is no plain object$/,
    ],
    ['no array of what is left out', { without: 'accountPage' }, /^acme: without is no array$/],
    ['no function of modules', { modules: [] }, /^acme: modules is no function$/],
    [
      'for a module that cannot be left out',
      { without: ['oauth'] },
      /^acme: without has "oauth", and only accountPage can be left out$/,
    ],
  ])('that is %s is refused in one line', (_what, members, line) => {
    const lines = refusal(members);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });

  it('may not be hidden in a class, where no check sees it', () => {
    class Acme {
      readonly gatehouse = 1;
      get replacement() {
        return { oauth: [pages] };
      }
    }
    expect(() => expectFit(new Acme() as Extension, 'acme')).toThrow('acme: it is no plain object');
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
    for (const mismatch of misfits) expect(refusal(mismatch)).toHaveLength(1);
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

  it.each([undefined, '1', null])('has to be said: %p', (gatehouse) => {
    expect(() => expectWrittenForThis({ gatehouse }, 'acme.js')).toThrow(
      /^acme\.js does not say which Gatehouse it was written for: .* it has gatehouse: \d+$/,
    );
  });
});
