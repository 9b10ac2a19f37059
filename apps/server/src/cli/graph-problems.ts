import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, SerializedGraph } from '@nestjs/core';

type Module = ModulesContainer extends Map<string, infer Value> ? Value : never;
type Link = ReturnType<SerializedGraph['toJSON']>['edges'][string];
type Provider = Module['providers'] extends Map<unknown, infer Value> ? Value : never;

/** Nest calls these: a provider with one of them needs no other to use it. */
const HOOKS = new Set([
  'configure',
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
]);

/** What Nest and its packages write on any class that is injected; other metadata is for `DiscoveryService`. */
const OF_ANY_CLASS = /^(?:__injectable__|scope:options|design:|self:|optional:)/;

/** Found by `ModuleRef`, made for what it does when it is made, or there for extensions and the command line. */
const USED_OTHERWISE = new Set([
  'Administration',
  'AuditConnectionCalls',
  'AuditReader',
  'AuditUsage',
  'BearerGuard',
  'ClientCredentialsService',
  'EventMetricsService',
  'ExternalIdentities',
  'ExternalSignIn',
  'HubMetricsService',
  'IssuerKeyMetricsService',
  'LoadMetricsService',
  'OutboxDirectory',
  'OutboxMetricsService',
  'ReadinessChecks',
  'ReplicaService',
  'UserDirectoryService',
]);

/** Its operations find what they need by the application. */
const FINDS_BY_APPLICATION = 'AdministrationModule';

/** It opens the connection by a global module that it imports itself. */
const OPENS_DATABASE = 'TypeOrmModule';

/** A line for each thing in a preview of the application that may be there by mistake, in the order of its modules. */
export function problemsOf(app: INestApplicationContext): string[] {
  const modules = [...app.get(ModulesContainer).values()];
  const { nodes, edges } = app.get(SerializedGraph).toJSON();
  const links = Object.values(edges);
  const enhancers = Object.values(nodes).flatMap(({ metadata }) =>
    'enhancers' in metadata ? (metadata.enhancers ?? []) : [],
  );
  const used = new Set([
    ...links.map(({ target }) => target),
    ...enhancers.flatMap((enhancer) => ('id' in enhancer ? [enhancer.id] : [])),
  ]);
  const own = modules.filter(({ id }) => nodes[id]?.metadata && !isOfNest(nodes[id].metadata));
  return [
    ...own.flatMap((module) => unusedProviders(module, used)),
    ...own.flatMap((module) => unusedImports(module, links)),
    ...circles(links.filter(({ target }) => !isGlobal(nodes[target]?.metadata))).map((ids) =>
      ids.map((id) => nodes[id]?.label ?? id).join(' → '),
    ),
  ];
}

/** Nest has every module import it. */
const isGlobal = (metadata: object = {}) => 'global' in metadata && metadata.global === true;

const isOfNest = (metadata: object) => 'internal' in metadata && metadata.internal === true;

/** Those that are classes: what a factory or a value is for only its module knows. */
const classesOf = ({ providers, metatype }: Module) =>
  [...providers.values()].filter(
    (one) => !one.isNotMetatype && one.metatype !== metatype && typeof one.metatype === 'function',
  );

function worksByItself({ metatype }: Provider): boolean {
  if (!metatype) return false;
  const { prototype } = metatype as { readonly prototype: Record<string, object> };
  const methods = new MetadataScanner().getAllMethodNames(prototype);
  const isForDiscovery = (of: object) =>
    Reflect.getMetadataKeys(of).some((key) => !OF_ANY_CLASS.test(String(key)));
  return (
    methods.some((name) => HOOKS.has(name)) ||
    isForDiscovery(metatype) ||
    methods.some((name) => isForDiscovery(prototype[name] ?? {}))
  );
}

const unusedProviders = (module: Module, used: ReadonlySet<string>) =>
  classesOf(module)
    .filter((one) => !used.has(one.id) && !worksByItself(one))
    .filter(({ name }) => !USED_OTHERWISE.has(String(name)) && name !== 'ModuleRef')
    .map(({ name }) => `${module.name}: nothing uses its provider ${String(name)}`);

/** Modules that only offer something, none of which the importing module takes or passes on. */
function unusedImports(module: Module, links: readonly Link[]): string[] {
  if (module.name === FINDS_BY_APPLICATION) return [];
  const taken = new Set(
    links.flatMap(({ metadata }) =>
      metadata.type === 'class-to-class' && metadata.sourceModuleName === module.name
        ? [metadata.targetModuleName]
        : [],
    ),
  );
  const passesOn = ({ metatype }: Module) => [...module.exports].includes(metatype);
  const isTaken = (imported: Module) =>
    [imported, ...imported.imports].some(({ name }) => taken.has(name));
  return [...module.imports]
    .filter(({ name, isGlobal: isOfAll }) => !isOfAll && name !== OPENS_DATABASE)
    .filter(({ controllers }) => controllers.size === 0)
    .filter((one) => !classesOf(one).some(worksByItself))
    .filter((one) => !passesOn(one) && !isTaken(one))
    .map(({ name }) => `${module.name}: uses nothing of ${name}, which it imports`);
}

/** Each circle once, by the ids of its modules or of its classes; it ends with the one that it begins with. */
function circles(links: readonly Link[]): string[][] {
  const next = Map.groupBy(links, ({ source }) => source);
  const found: string[][] = [];
  const done = new Set<string>();
  const follow = (id: string, path: readonly string[]) => {
    if (path.includes(id)) return void found.push([...path.slice(path.indexOf(id)), id]);
    if (done.has(id)) return undefined;
    for (const { target } of next.get(id) ?? []) follow(target, [...path, id]);
    done.add(id);
    return undefined;
  };
  for (const id of next.keys()) follow(id, []);
  return found;
}
