import type { Abstract, Provider, Type } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  type ModulesContainer,
} from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { getStorageToken } from '@nestjs/throttler';
import { AccountsModule } from '#libs/accounts';
import { BudgetModule } from '#libs/budget';
import { CodeRunnerModule, ScreeningModule } from '#libs/code-runner';
import { McpModule } from '#libs/mcp';
import { OAuthModule } from '#libs/oauth';
import { PasskeysModule } from '#libs/passkeys';
import { TabHubModule } from '#libs/tab-hub';
import { AccountPageModule, PageClientModule } from '#libs/ui-templates';
import {
  type BuiltIn,
  type Extension,
  MAJOR_VERSION,
  type Replaceable,
} from './app.module-definition.js';
import { readServiceVersion } from './config/service-version.js';
import { AccountExportModule } from './export/account-export.module.js';
import { MetricsModule } from './observability/metrics/metrics.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { lackingMethods, REPLACEABLE_PORTS } from './replaceable-ports.js';

export class ExtensionError extends Error {
  override name = 'ExtensionError';
}

/** Refuses an extension of another major version: it may be compiled before an upgrade. @throws ExtensionError */
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
const MEMBERS = Object.keys({
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
} satisfies Record<keyof Extension, true>);

const MODULES: Readonly<Record<Replaceable, Type>> = {
  accountExport: AccountExportModule,
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

const OFFERING: Readonly<Record<keyof BuiltIn, Type>> = { ...MODULES, metrics: MetricsModule };

/** Which module of `builtIn` an extension imports for a class; undefined for a class that none of them exports. */
export const offeredBy = (token: unknown): string | undefined =>
  Object.entries(OFFERING).find(([, module]) => exportedBy(module).includes(token))?.[0];

function exportedBy(module: unknown): unknown[] {
  const exported = (Reflect.getMetadata('exports', module as Type) ?? []) as unknown[];
  const further = exported.flatMap((one) => (typeof one === 'function' ? exportedBy(one) : []));
  return [...exported, ...further];
}

export const BUILT_IN_MODULES: ReadonlySet<Type> = new Set([
  ...Object.values(MODULES),
  PageClientModule,
]);

const GLOBAL_ENHANCERS = new Set<unknown>([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/** The name that Nest gives to a provider of such a token. */
const GLOBAL_ENHANCER = /^(APP_(?:FILTER|GUARD|INTERCEPTOR|PIPE)) \(UUID: /;
const NOT_GLOBAL = "would apply to the service's own routes; use the decorators of Nest on yours";

/**
 * Checks what the compiler would refuse in an extension, since one of JavaScript starts as well. `name` is how messages
 * call the extension. @throws ExtensionError with a line for each fault
 */
export function expectFit(extension: Partial<Extension>, name: string): void {
  expectWrittenForThis(extension, name);
  const { without = [], replacements = {} } = extension;
  const problems = [
    ...unknown('member', Object.keys(extension), MEMBERS),
    ...unknown('member of without', without, ['accountPage']),
    ...unknown('module in replacements', Object.keys(replacements), NAMES),
    ...NAMES.flatMap((module) => misplacedReplacements(module, replacements[module] ?? [])),
  ];
  throwAll(problems.map((problem) => `${name}: ${problem}`));
}

const unknown = (kind: string, names: readonly string[], known: readonly string[]) =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => `there is no ${kind} "${name}"; there are ${known.join(', ')}`);

/**
 * Checks that the modules of teams leave the service's own alone; `root` provides the service's filters.
 * @throws ExtensionError with a line for each misplaced port, global enhancer, changed copy of a built-in module, second
 * ScheduleModule, and replacement that lacks a method of its port
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
  const schedules = all.filter(({ metatype }) => metatype === ScheduleModule).slice(1);
  throwAll([...intrusions, ...copies, ...schedules.map(() => SECOND_SCHEDULE)]);
}

/** With two, each interval of the service would run twice at a time; a tab would have no time to answer a ping. */
const SECOND_SCHEDULE =
  'a module imports ScheduleModule, which the service has: it runs @Interval, @Cron and @Timeout methods of all modules, so leave the import out';

const COPY =
  'import the one that modules() is given, and list what it is to do otherwise in replacements';

function intrusion(token: unknown, module: Type) {
  const [, enhancer] = (typeof token === 'string' && GLOBAL_ENHANCER.exec(token)) || [];
  if (enhancer !== undefined) return `${module.name} provides ${enhancer}: it ${NOT_GLOBAL}`;
  const home = isPort(token) ? moduleOf(token) : undefined;
  if (home === undefined || MODULES[home] === module) return undefined;
  return `${module.name} provides ${nameOf(token)}, which replaces nothing there: list it in replacements.${home}`;
}

function incompleteness(token: unknown, instance: unknown) {
  const lacking = lackingMethods(token, instance).map((name) => `${name}()`);
  if (lacking.length === 0) return undefined;
  return `what replaces ${nameOf(token)} lacks ${lacking.join(', ')}: a replacement needs every method of its port`;
}

function throwAll(problems: readonly string[]) {
  if (problems.length > 0) throw new ExtensionError(problems.join('\n'));
}

function misplacedReplacements(module: Replaceable, providers: readonly Provider[]): string[] {
  const place = `replacements.${module}`;
  const tokens = providers.map(tokenOf);
  const problems = providers.flatMap((provider) => misplacement(provider, module, tokens) ?? []);
  const replacesNothing = tokens.length > 0 && !tokens.some((token) => moduleOf(token) === module);
  if (problems.length > 0 || !replacesNothing) {
    return problems.map((problem) => `${place} has ${problem}`);
  }
  return [`${place} has ${tokens.map(nameOf).join(', ')}, and replaces nothing of ${module}`];
}

function misplacement(provider: Provider, here: Replaceable, tokens: readonly unknown[]) {
  const token = tokenOf(provider);
  if (GLOBAL_ENHANCERS.has(token)) return `${nameOf(token)}: it ${NOT_GLOBAL}`;
  const home = moduleOf(token);
  if (home !== undefined && home !== here) {
    return `${nameOf(token)}, which is of ${home}: list it in replacements.${home}`;
  }
  if (isForeignCopyOfPort(token)) {
    return `a ${nameOf(token)} that is not the one of Gatehouse: the token is the class that this installation of the package exports`;
  }
  const type = typeof provider === 'function' ? provider : Object(provider).useClass;
  const port = PORTS.find((one) => type?.prototype instanceof one);
  if (port === undefined || tokens.includes(port)) return undefined;
  return `${type.name}, and replaces no ${port.name}: that is by { provide: ${port.name}, … } in replacements.${moduleOf(port)}`;
}

const tokenOf = (provider: Provider): unknown =>
  typeof provider === 'function' ? provider : Object(provider).provide;

const PORTS: readonly Abstract<object>[] = Object.values(REPLACEABLE_PORTS).flatMap((ports) =>
  ports.map(({ token }) => token),
);

const isPort = (token: unknown) => PORTS.some((port) => port === token);

const moduleOf = (token: unknown): Replaceable | undefined =>
  token === getStorageToken()
    ? 'accounts'
    : NAMES.find((name) => REPLACEABLE_PORTS[name].some((port) => port.token === token));

/** Whether a token has the name of a port and is not that port: a string, or a class of another copy of the package. */
const isForeignCopyOfPort = (token: unknown) =>
  moduleOf(token) === undefined && PORTS.some(({ name }) => name === nameOf(token));

const nameOf = (token: unknown) => (typeof token === 'function' ? token.name : String(token));
