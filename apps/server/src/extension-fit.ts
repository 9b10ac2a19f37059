import type { Provider, Type } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  type ModulesContainer,
} from '@nestjs/core';
import { AccountsModule, ActivityReader, BudgetReader } from '#libs/accounts';
import { BudgetModule } from '#libs/budget';
import { CodeRunnerModule, ScreeningModule } from '#libs/code-runner';
import { McpModule } from '#libs/mcp';
import { OAuthModule, type Resource, type Scope } from '#libs/oauth';
import { PasskeysModule } from '#libs/passkeys';
import { TabHubModule } from '#libs/tab-hub';
import { AccountPageModule, type Brand, PageClientModule } from '#libs/ui-templates';
import {
  type Extension,
  type LanguageTexts,
  MAJOR_VERSION,
  type Replaceable,
} from './app.module-definition.js';
import { readServiceVersion } from './config/service-version.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { lackingMethods } from './replaceable-ports.js';

/** An extension that cannot be used; the message is for the operator who starts the service. */
export class ExtensionError extends Error {
  override name = 'ExtensionError';
}

/**
 * Refuses an extension that was written for another major version. The compiler does so too, but an extension
 * may have been compiled before an upgrade. `name` is how messages call it. @throws ExtensionError
 */
export function expectWrittenForThis({ gatehouse }: { gatehouse?: unknown }, name: string): void {
  if (gatehouse === MAJOR_VERSION) return;
  const version = readServiceVersion();
  throw new ExtensionError(
    typeof gatehouse === 'number'
      ? `${name} was written for Gatehouse ${gatehouse}, and this is Gatehouse ${version}: take another version of one of them`
      : `${name} does not say which Gatehouse it was written for: where it is for this one, ${version}, it has gatehouse: ${MAJOR_VERSION}`,
  );
}

/** The compiler requires every member of the type to be named. */
const membersOf = <T>(members: Readonly<Record<keyof T, true>>) => Object.keys(members);

const MEMBERS = membersOf<Extension>({
  gatehouse: true,
  modules: true,
  without: true,
  scopes: true,
  resources: true,
  texts: true,
  brand: true,
  instructions: true,
  migrations: true,
  replacements: true,
});

/** The members of what an extension has one or a list of. */
const MEMBERS_IN = {
  texts: membersOf<LanguageTexts>({ locale: true, pages: true, account: true }),
  brand: membersOf<Brand>({
    style: true,
    accent: true,
    emblem: true,
    logo: true,
    links: true,
    website: true,
  }),
  scopes: membersOf<Scope>({ name: true, description: true, texts: true }),
  resources: membersOf<Resource>({
    resource: true,
    name: true,
    scopes: true,
    tokens: true,
    introspection: true,
  }),
};

const MODULES: Readonly<Record<Replaceable, Type>> = {
  accountPage: AccountPageModule,
  accounts: AccountsModule,
  budget: BudgetModule,
  code: CodeRunnerModule,
  events: OutboxModule,
  mcp: McpModule,
  oauth: OAuthModule,
  passkeys: PasskeysModule,
  screening: ScreeningModule,
  tabs: TabHubModule,
};

const NAMES = Object.keys(MODULES) as Replaceable[];

/** The modules whose controllers belong to the service. */
export const BUILT_IN_MODULES: ReadonlySet<Type> = new Set([
  ...Object.values(MODULES),
  PageClientModule,
]);

const GLOBAL_ENHANCERS = new Set<unknown>([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/** The name that Nest gives to a provider of such a token. */
const GLOBAL_ENHANCER = /^(APP_(?:FILTER|GUARD|INTERCEPTOR|PIPE)) \(UUID: /;

const NOT_GLOBAL = "would apply to the service's own routes; use the decorators of Nest on yours";

/**
 * Checks that everything in an extension has an effect. `name` is how messages call the extension.
 * @throws ExtensionError for another major version; with a line each for members and modules that do not
 * exist, and for replacements that replace nothing
 */
export function expectFit(extension: Partial<Extension>, name: string): void {
  expectWrittenForThis(extension, name);
  const problems = [...unknownMembers(extension), ...misplacedReplacements(extension)];
  throwAll(problems.map((problem) => `${name}: ${problem}`));
}

/**
 * Checks that the modules of teams leave the service's own alone; `root` is the module that provides the service's
 * own filters.
 * @throws ExtensionError with a line for each port that replaces nothing where it is, each global enhancer, each
 * built-in module that is there a second time, with providers that the service does not use, and each replacement
 * that lacks a method of its port
 */
export function expectOwnProviders(modules: ModulesContainer, root: Type): void {
  const all = [...modules.values()].filter(({ metatype }) => metatype !== root);
  const intrusions = all.flatMap(({ metatype, providers, injectables }) =>
    [...providers, ...injectables].flatMap(
      ([token, { instance }]) =>
        intrusion(token, metatype) ?? incompleteness(token, instance) ?? [],
    ),
  );
  const copies = NAMES.filter(
    (name) => all.filter(({ metatype }) => metatype === MODULES[name]).length > 1,
  ).map((name) => `there is a changed copy of ${name}: ${COPY}`);
  throwAll([...intrusions, ...copies]);
}

const COPY =
  'import the one that modules() is given, and list what it is to do otherwise in replacements';

/** Why a module may not have a provider of this token. */
function intrusion(token: unknown, module: Type) {
  const [, enhancer] = (typeof token === 'string' && GLOBAL_ENHANCER.exec(token)) || [];
  if (enhancer !== undefined) return `${module.name} provides ${enhancer}: it ${NOT_GLOBAL}`;
  const home = homeOfPort(token);
  if (home === undefined || MODULES[home] === module) return undefined;
  return `${module.name} provides ${nameOf(token)}, which replaces nothing there: list it in replacements.${home}`;
}

/** Why a provider of this token cannot do what the port promises. */
function incompleteness(token: unknown, instance: unknown) {
  const lacking = lackingMethods(token, instance).map((name) => `${name}()`);
  if (lacking.length === 0) return undefined;
  return `what replaces ${nameOf(token)} lacks ${lacking.join(', ')}: a replacement needs every method of its port`;
}

function throwAll(problems: readonly string[]) {
  if (problems.length > 0) throw new ExtensionError(problems.join('\n'));
}

function unknownMembers(extension: Partial<Extension>): string[] {
  const { modules, without = [], replacements = {} } = extension;
  if (!isPlain(extension)) return ['it is no plain object'];
  if (!isPlain(replacements)) return ['replacements is no plain object'];
  if (!Array.isArray(without)) return ['without is no array'];
  if (!['undefined', 'function'].includes(typeof modules)) return ['modules is no function'];
  const parts = Object.entries(MEMBERS_IN) as [keyof typeof MEMBERS_IN, string[]][];
  return [
    ...notAmong(MEMBERS, Object.keys(extension)).map(
      (member) => `there is no member "${member}"; there are ${MEMBERS.join(', ')}`,
    ),
    ...parts.flatMap(([part, members]) =>
      notAmong(members, [extension[part] ?? []].flat().flatMap(Object.keys)).map(
        (member) => `there is no member "${member}" in ${part}; there are ${members.join(', ')}`,
      ),
    ),
    ...notAmong(['accountPage'], without).map(
      (module) => `without has "${module}", and only accountPage can be left out`,
    ),
    ...notAmong(NAMES, Object.keys(replacements)).map(
      (module) => `replacements has no module "${module}"; there are ${NAMES.join(', ')}`,
    ),
  ];
}

/** A class or a Map may have members that nothing here finds. */
const isPlain = (value: object) =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

const notAmong = (known: readonly string[], given: readonly string[]) =>
  given.filter((one) => !known.includes(one));

function misplacedReplacements({ replacements = {}, without = [] }: Partial<Extension>): string[] {
  return NAMES.flatMap((home) => {
    const providers: readonly Provider[] = replacements[home] ?? [];
    if (!Array.isArray(providers)) return `replacements.${home} is no list of providers`;
    if (providers.length === 0) return [];
    if ((without as readonly string[]).includes(home)) {
      return `replacements.${home} replaces nothing, since without leaves ${home} out`;
    }
    const tokens = providers.map(tokenOf);
    const problems = providers.flatMap((provider) => misplacement(provider, home, tokens) ?? []);
    if (problems.length > 0) return problems;
    if (tokens.some((token) => replaces(token, home))) {
      return repetitions(tokens, home).concat(namesakes(tokens, home));
    }
    return `replacements.${home} has ${tokens.map(nameOf).join(', ')}, and replaces nothing of ${home}`;
  });
}

/** Why a provider has no effect in this module. */
function misplacement(provider: Provider, here: Replaceable, tokens: readonly unknown[]) {
  const place = `replacements.${here}`;
  const token = tokenOf(provider);
  if (token === undefined || token === null) return `${place} has a provider without a token`;
  if (GLOBAL_ENHANCERS.has(token)) return `${place} has ${nameOf(token)}: it ${NOT_GLOBAL}`;
  const { forwardRef } = Object(token) as { forwardRef?: () => unknown };
  if (typeof forwardRef === 'function') {
    return `${place} has a reference forward to ${nameOf(forwardRef())}, which is no token: name the class itself`;
  }
  const home = homeOf(token);
  if (home !== undefined && home !== here) {
    return `${place} has ${nameOf(token)}, which is of ${home}: list it in replacements.${home}`;
  }
  const { useClass, useExisting, useFactory, useValue } = Object(provider) as Implementation;
  const given = Object.entries({ useClass, useValue, useFactory, useExisting })
    .filter(([, implementation]) => implementation != null)
    .map(([key]) => key);
  const isBare = given.length === 0 || useExisting === token;
  if (home === here && provider !== token && isBare)
    return `${place} has ${nameOf(token)} with nothing to take its place`;
  if (given.length > 1)
    return `${place} has ${nameOf(token)} with ${given.join(' and ')}, and only one would count`;
  for (const type of [token, useClass, Object(useValue).constructor]) {
    const port = portBehind(type);
    if (port === undefined || tokens.includes(port)) continue;
    return `${place} has ${nameOf(type)}, and replaces no ${nameOf(port)}: that is by { provide: ${nameOf(port)}, … } in replacements.${homeOfPort(port)}`;
  }
  return undefined;
}

/** Tokens of which a list has two providers. */
const repetitions = (tokens: readonly unknown[], here: Replaceable) =>
  [...new Set(tokens.filter((token, at) => tokens.indexOf(token) < at))].map(
    (token) => `replacements.${here} has ${nameOf(token)} twice, and only the last would count`,
  );

/** A class of another copy of the package says the same of itself as ours, and replaces nothing. */
const replaces = (token: unknown, home: Replaceable) =>
  homeOf(token) === home && (homeOfPort(token) === undefined || PORTS.includes(token));

/** Tokens that have the name of a port and are not that port: a string in its place, or a class of another copy. */
const namesakes = (tokens: readonly unknown[], here: Replaceable) =>
  tokens.flatMap((token) => {
    const name = typeof token === 'symbol' ? token.description : nameOf(token);
    if (PORTS.includes(token) || !PORTS.some((port) => nameOf(port) === name)) return [];
    return `replacements.${here} has a ${name} that is not the one of Gatehouse, and replaces nothing: the token is the class that this installation of the package exports`;
  });

type Implementation = Partial<
  Record<'useClass' | 'useExisting' | 'useFactory' | 'useValue', unknown>
>;

const tokenOf = (provider: Provider): unknown =>
  typeof provider === 'function' ? provider : Object(provider).provide;

const tokensOf = (module: Type) =>
  ((Reflect.getMetadata('providers', module) ?? []) as readonly Provider[]).map(tokenOf);

/** The built-in module that provides this token. */
const homeOf = (token: unknown): Replaceable | undefined =>
  homeOfPort(token) ?? NAMES.find((name) => tokensOf(MODULES[name]).includes(token));

/** The built-in module that this port belongs to; undefined for subclasses of ports. */
const homeOfPort = (token: unknown): Replaceable | undefined =>
  typeof token === 'function' && Object.hasOwn(token, 'portOf')
    ? (token as unknown as { readonly portOf: Replaceable }).portOf
    : undefined;

/** All ports; some are bound by AppModule instead of their own modules. */
const PORTS: readonly unknown[] = [
  ActivityReader,
  BudgetReader,
  ...Object.values(MODULES).flatMap(tokensOf),
].filter((token) => homeOfPort(token) !== undefined);

/** The port that a class is or extends. */
function portBehind(type: unknown): unknown {
  if (typeof type !== 'function') return undefined;
  return homeOfPort(type) === undefined ? portBehind(Object.getPrototypeOf(type)) : type;
}

const nameOf = (token: unknown) => (typeof token === 'function' ? token.name : String(token));
