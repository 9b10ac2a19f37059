import type { Provider, Type } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  type ModulesContainer,
} from '@nestjs/core';
import { AccountPageModule } from '#libs/account-page';
import { AccountsModule } from '#libs/accounts';
import { BudgetModule } from '#libs/budget';
import { CodeRunnerModule, ScreeningModule } from '#libs/code-runner';
import { OAuthModule } from '#libs/oauth';
import { OwnAccountModule } from '#libs/own-account';
import { PasskeysModule } from '#libs/passkeys';
import { TabHubModule } from '#libs/tab-hub';
import type { Extension, Replaceable } from './app.module-definition.js';
import { ExtensionError } from './extension.error.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { expectWrittenForThis } from './written-for.js';

/** Whoever adds a member to Extension is told by the compiler to name it here. */
const MEMBERS = Object.keys({
  gatehouse: true,
  modules: true,
  without: true,
  scopes: true,
  texts: true,
  brand: true,
  instructions: true,
  migrations: true,
  replacements: true,
} satisfies Record<keyof Extension, true>);

const TEXTS_MEMBERS = ['locale', 'pages', 'account'];

const MODULES: Readonly<Record<Replaceable, Type>> = {
  accountPage: AccountPageModule,
  accounts: AccountsModule,
  budget: BudgetModule,
  code: CodeRunnerModule,
  events: OutboxModule,
  oauth: OAuthModule,
  ownAccount: OwnAccountModule,
  passkeys: PasskeysModule,
  screening: ScreeningModule,
  tabs: TabHubModule,
};

const GLOBAL_ENHANCERS = new Set<unknown>([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/** As Nest names the provider of such a token. */
const GLOBAL_ENHANCER = /^(APP_(?:FILTER|GUARD|INTERCEPTOR|PIPE)) \(UUID: /;

const NOT_GLOBAL = "would apply to the service's own routes; use the decorators of Nest on yours";

/**
 * Whether all that an extension says means something here. `name` is what people know the extension by.
 * @throws ExtensionError for another major version; with a line each for members and modules that do not
 * exist, and for replacements that replace nothing
 */
export function expectFit(extension: Partial<Extension>, name: string): void {
  expectWrittenForThis(extension, name);
  const problems = [...unknownMembers(extension), ...misplacedReplacements(extension)];
  throwAll(problems.map((problem) => `${name}: ${problem}`));
}

/**
 * Whether the modules of teams leave the service's own alone.
 * @throws ExtensionError with a line for each port that replaces nothing where it is, and each global enhancer
 */
export function expectOwnProviders(modules: ModulesContainer): void {
  const problems = [...modules.values()].flatMap(({ metatype, providers, injectables }) =>
    [...providers.keys(), ...injectables.keys()].flatMap(
      (token) => intrusion(token, metatype) ?? [],
    ),
  );
  throwAll(problems);
}

/** Why a module may not have a provider of this token. */
function intrusion(token: unknown, module: Type) {
  const [, enhancer] = (typeof token === 'string' && GLOBAL_ENHANCER.exec(token)) || [];
  if (enhancer !== undefined) return `${module.name} provides ${enhancer}: it ${NOT_GLOBAL}`;
  const home = homeOfPort(token);
  if (home === undefined || MODULES[home] === module) return undefined;
  return `${module.name} provides ${nameOf(token)}, which replaces nothing there: list it in replacements.${home}`;
}

function throwAll(problems: readonly string[]) {
  if (problems.length > 0) throw new ExtensionError(problems.join('\n'));
}

function unknownMembers(extension: Partial<Extension>): string[] {
  const { texts = [], without = [], replacements = {} } = extension;
  return [
    ...notAmong(MEMBERS, Object.keys(extension)).map(
      (member) => `there is no member "${member}"; there are ${MEMBERS.join(', ')}`,
    ),
    ...texts.flatMap((language) =>
      notAmong(TEXTS_MEMBERS, Object.keys(language)).map(
        (member) => `texts have no member "${member}"; there are ${TEXTS_MEMBERS.join(', ')}`,
      ),
    ),
    ...notAmong(['accountPage'], without).map(
      (module) => `without has "${module}", and only accountPage can be left out`,
    ),
    ...notAmong(Object.keys(MODULES), Object.keys(replacements)).map(
      (module) =>
        `replacements has no module "${module}"; there are ${Object.keys(MODULES).join(', ')}`,
    ),
  ];
}

const notAmong = (known: readonly string[], given: readonly string[]) =>
  given.filter((one) => !known.includes(one));

function misplacedReplacements({ replacements = {}, without = [] }: Partial<Extension>): string[] {
  const names = Object.keys(MODULES) as Replaceable[];
  return names.flatMap((home) => {
    const providers: readonly Provider[] = replacements[home] ?? [];
    if (providers.length === 0) return [];
    if ((without as readonly string[]).includes(home)) {
      return `replacements.${home} replaces nothing, since without leaves ${home} out`;
    }
    const tokens = providers.map(tokenOf);
    const problems = providers.flatMap((provider) => misplacement(provider, home, tokens) ?? []);
    if (problems.length > 0 || tokens.some((token) => homeOf(token) === home)) return problems;
    return `replacements.${home} has ${tokens.map(nameOf).join(', ')}, and replaces nothing of ${home}`;
  });
}

/** Why a provider does not do there what it is for. */
function misplacement(provider: Provider, here: Replaceable, tokens: readonly unknown[]) {
  const place = `replacements.${here}`;
  const token = tokenOf(provider);
  if (token === undefined || token === null) return `${place} has a provider without a token`;
  if (GLOBAL_ENHANCERS.has(token)) return `${place} has ${nameOf(token)}: it ${NOT_GLOBAL}`;
  const home = homeOf(token);
  if (home !== undefined && home !== here) {
    return `${place} has ${nameOf(token)}, which is of ${home}: list it in replacements.${home}`;
  }
  const { useClass, useExisting, useFactory, useValue } = Object(provider) as Implementation;
  const isBare = provider !== token && (useClass ?? useExisting ?? useFactory ?? useValue) == null;
  if (home === here && isBare)
    return `${place} has ${nameOf(token)} with nothing to take its place`;
  for (const type of [token, useClass]) {
    const port = portBehind(type);
    if (port === undefined || tokens.includes(port)) continue;
    return `${place} has ${nameOf(type)}, and replaces no ${nameOf(port)}: that is by { provide: ${nameOf(port)}, … } in replacements.${homeOfPort(port)}`;
  }
  return undefined;
}

type Implementation = Partial<
  Record<'useClass' | 'useExisting' | 'useFactory' | 'useValue', unknown>
>;

const tokenOf = (provider: Provider): unknown =>
  typeof provider === 'function' ? provider : Object(provider).provide;

/** The built-in module that has a provider of this token. */
const homeOf = (token: unknown): Replaceable | undefined =>
  homeOfPort(token) ?? (Object.keys(MODULES) as Replaceable[]).find((name) => has(name, token));

const has = (name: Replaceable, token: unknown) =>
  (Reflect.getMetadata('providers', MODULES[name]) as readonly Provider[] | undefined)?.some(
    (provider) => tokenOf(provider) === token,
  );

/** The built-in module that this port is of; subclasses are none. */
const homeOfPort = (token: unknown): Replaceable | undefined =>
  typeof token === 'function' && Object.hasOwn(token, 'portOf')
    ? (token as unknown as { readonly portOf: Replaceable }).portOf
    : undefined;

/** The port that a class is, or extends. */
function portBehind(type: unknown): unknown {
  if (typeof type !== 'function') return undefined;
  return homeOfPort(type) === undefined ? portBehind(Object.getPrototypeOf(type)) : type;
}

const nameOf = (token: unknown) => (typeof token === 'function' ? token.name : String(token));
