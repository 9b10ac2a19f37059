import { isLoopbackHostname } from '#libs/accounts';
import { normalIdentifier, originOfResource, type Resource, type Scope } from '#libs/oauth';
import type { MachineResource } from './admin/administration.module-definition.js';
import type { Extension } from './app.module-definition.js';
import { type Config, ConfigError } from './config/config.js';
import { resourceFault, SCOPE_NAME } from './config/resources.js';
import { isScopeName } from './config/variable-rules.js';
import { scopes as builtInScopes } from './tools/scopes.js';

type Settings = Pick<Config, 'publicOrigins' | 'resources' | 'signingKeysFile' | 'baselineScopes'>;

/** The scopes of `/svc/mcp`; `BASELINE_SCOPES` says in place of their definitions which are the baseline. */
export function scopesOf(
  { baselineScopes: baseline }: Pick<Config, 'baselineScopes'>,
  extensions: readonly Partial<Extension>[],
): readonly Scope[] {
  const all = [...builtInScopes, ...extensions.flatMap((extension) => extension.scopes ?? [])];
  if (baseline === undefined) return all;
  return all.map((scope) => Object.assign({}, scope, { baseline: baseline.includes(scope.name) }));
}

interface Labelled {
  readonly label: string;
  readonly resource: Resource;
}

/** The resources of `RESOURCES_FILE`, then those of extensions. Throws ConfigError for invalid or conflicting ones. */
export function resourcesOf(
  config: Settings,
  extensions: readonly Partial<Extension>[],
): readonly Resource[] {
  const added = extensions.flatMap((extension) => extension.resources ?? []);
  const faults = added.flatMap((one, at) => {
    const fault = resourceFault(asListed(one));
    return fault === undefined ? [] : [`in entry ${at + 1} of resources of extensions ${fault}`];
  });
  const scopes = scopesOf(config, extensions);
  faults.push(...scopeFaults(scopes), ...baselineFaults(config, scopes));
  if (faults.length > 0) throw new ConfigError(faults);
  const labelled = [
    ...labelledAs('RESOURCES_FILE', config.resources),
    ...labelledAs('resources of extensions', added),
  ];
  const problems = [
    ...conflicts(labelled, config.publicOrigins, scopes),
    ...(config.signingKeysFile === undefined ? lackingKeys(labelled) : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return labelled.map(({ resource }) => resource);
}

/** A line for each scope of `/svc/mcp` that has no name of a scope, or one of an earlier scope, or other faults. */
const scopeFaults = (scopes: readonly Scope[]): string[] => {
  const names = scopes.map(({ name }) => name);
  return names.flatMap((name: unknown, at) => {
    const label = `the scope ${JSON.stringify(name)} of extensions`;
    if (typeof name !== 'string' || !isScopeName(name))
      return [`${label} has a name that is not ${SCOPE_NAME}`];
    const { writes = false, baseline = false } = scopes[at] ?? {};
    if (typeof writes !== 'boolean' || typeof baseline !== 'boolean')
      return [`${label} has writes or baseline that is neither true nor false`];
    return names.indexOf(name) < at ? [`${label} is listed twice; give it another name`] : [];
  });
};

const baselineFaults = (
  { baselineScopes = [] }: Pick<Config, 'baselineScopes'>,
  scopes: readonly Scope[],
): string[] =>
  baselineScopes.flatMap((name) =>
    scopes.some((scope) => scope.name === name)
      ? []
      : [`BASELINE_SCOPES names ${name}, which is no scope of /svc/mcp; remove it`],
  );

const labelledAs = (list: string, resources: readonly Resource[]): Labelled[] =>
  resources.map((resource, at) => ({ label: `entry ${at + 1} of ${list}`, resource }));

/** `/svc/mcp` and the resources beside it; undefined while the service has no machine clients. */
export function machineResources(
  config: Settings & Pick<Config, 'machineClients'>,
  extensions: readonly Partial<Extension>[],
): readonly MachineResource[] | undefined {
  if (!config.machineClients) return undefined;
  const further = resourcesOf(config, extensions);
  const namesOf = (scopes: readonly Scope[]) => scopes.map(({ name }) => name);
  return [
    { scopes: namesOf(scopesOf(config, extensions)) },
    ...further.map(({ resource, scopes }) => ({ resource, scopes: namesOf(scopes) })),
  ];
}

/** An extension's resource as the file would have it: a URL in place of a path, and no texts of other languages. */
function asListed(one: Resource): unknown {
  const { resource, scopes, ...rest } = Object(one) as Partial<Resource>;
  return {
    ...rest,
    resource: isPath(resource) ? `https://localhost${resource}` : resource,
    scopes: Array.isArray(scopes)
      ? scopes.map((scope: Scope) => {
          const { texts: _texts, ...others } = Object(scope) as Scope;
          return others;
        })
      : scopes,
  };
}

const isPath = (resource: unknown) =>
  typeof resource === 'string' && resource.startsWith('/') && !resource.startsWith('//');

function conflicts(
  resources: readonly Labelled[],
  publicOrigins: readonly string[] | undefined,
  scopes: readonly Scope[],
): string[] {
  const problems: string[] = [];
  const owners = new Map<string, string>();
  /** The label that had this text first; undefined for a new text, which `label` then has. */
  const ownerOf = (kind: string, text: string, label: string) => {
    const owner = owners.get(`${kind} ${text}`);
    if (owner === undefined) owners.set(`${kind} ${text}`, label);
    return owner;
  };
  for (const { name } of scopes) ownerOf('scope', name, '/svc/mcp');
  for (const { label, resource: one } of resources) {
    if (isEndpoint(one, publicOrigins)) {
      problems.push(
        `${label} is /svc/mcp or below it, which is a resource without being listed; remove it`,
      );
    }
    const same = identifiersOf(one, publicOrigins).flatMap(
      (identifier) => ownerOf('resource', identifier, label) ?? [],
    );
    if (same.length > 0)
      problems.push(`${label} has the resource of ${same[0]}; remove one of the two`);
    for (const { name } of one.scopes) {
      const owner = ownerOf('scope', name, label);
      if (owner === undefined) continue;
      problems.push(
        `${label} has the scope ${name}, as ${owner} does; give one of them another name`,
      );
    }
    if (one.introspection === undefined) continue;
    const client = ownerOf('client', one.introspection.clientId, label);
    if (client === undefined) continue;
    problems.push(`${label} has the introspection clientId of ${client}; give each its own`);
  }
  return problems;
}

const lackingKeys = (resources: readonly Labelled[]) =>
  resources.flatMap(({ label, resource: { tokens } }) =>
    tokens === 'jwt'
      ? [`${label} has jwt for tokens, which takes SIGNING_KEYS_FILE; set that`]
      : [],
  );

/** The identifiers that no other resource may have; a path is a resource on each origin of the service. */
function identifiersOf({ resource }: Resource, publicOrigins: readonly string[] = []): string[] {
  const origins = isPath(resource) ? ['http://any.invalid', ...publicOrigins] : [''];
  return origins.flatMap((origin) => normalIdentifier(origin + resource) ?? []);
}

/** Whether a resource is `/svc/mcp` of an origin of the service, or below it. */
function isEndpoint(one: Resource, publicOrigins: readonly string[] | undefined): boolean {
  const origin = originOfResource(one);
  const { pathname, hostname } = new URL(one.resource, 'http://localhost');
  const isOwn =
    origin === undefined || (publicOrigins?.includes(origin) ?? isLoopbackHostname(hostname));
  return isOwn && /^\/svc\/mcp(?:\/|$)/i.test(pathname);
}
