import type { Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ErrorFormat } from '#libs/accounts';

/** Under which the decorators and the router of Nest keep paths. Nest exports these keys from internal files only. */
const PATH = 'path';
const MODULE_PATH = '__module_path__';
const GATEWAY_OPTIONS = 'websockets:gateway_options';
const GATEWAY_PORT = 'port';

interface Route {
  readonly path: string;
  /** Controller and method, as in `AccountController.me`, or a gateway. */
  readonly handler: string;
  readonly controller: Type;
  readonly module: Type;
}

const reflector = new Reflector();

/** All routes of the application, and the paths of its gateways, as soon as its modules are loaded. */
export const routesOf = (discovery: DiscoveryService, modules: ModulesContainer): Route[] => [
  ...controllerRoutes(discovery, modules),
  ...gatewayRoutes(discovery),
];

const gatewayRoutes = (discovery: DiscoveryService): Route[] =>
  discovery.getProviders().flatMap(({ host, metatype, name }) => {
    if (!host || !metatype) return [];
    const options = reflector.get<{ path?: string } | undefined>(GATEWAY_OPTIONS, metatype);
    // One with a port of its own has another listener.
    if (!options || reflector.get(GATEWAY_PORT, metatype) !== 0) return [];
    const { path = '/' } = options;
    return [{ path, handler: String(name), controller: metatype as Type, module: host.metatype }];
  });

const controllerRoutes = (discovery: DiscoveryService, modules: ModulesContainer): Route[] =>
  discovery.getControllers().flatMap(({ host, metatype, name }) => {
    if (!host || !metatype) return [];
    const controller = metatype as Type<Record<string, Function>>;
    const module = host.metatype;
    const above = pathsOf(MODULE_PATH + modules.applicationId, module).flatMap((prefix) =>
      pathsOf(PATH, controller).map((path) => `${prefix}/${path}`),
    );
    return new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((method) => {
      const handler = controller.prototype[method];
      if (!handler || reflector.get(PATH, handler) === undefined) return [];
      return above
        .flatMap((prefix) => pathsOf(PATH, handler).map((path) => `${prefix}/${path}`))
        .map((path) => ({
          path: `/${path.split('/').filter(Boolean).join('/')}`,
          handler: `${name}.${method}`,
          controller,
          module,
        }));
    });
  });

/** The paths that a decorator or RouterModule set on a class or method. */
const pathsOf = (key: string, holder: Function): string[] =>
  [reflector.get<string | string[] | undefined>(key, holder) ?? ''].flat();

type FormatOf = (path: string) => ErrorFormat | undefined;

/** How failures look on a path, as the controllers say whose routes match it; also where none of them answers. */
export function errorFormats(routes: readonly Route[]): FormatOf {
  const known = routes.flatMap(({ path, controller }) => {
    const format = reflector.get(ErrorFormat, controller) as ErrorFormat | undefined;
    if (!format) return [];
    const [start = '', rest] = path.split('{*');
    return { start, isWhole: rest === undefined, format };
  });
  return (path) =>
    known.find(
      ({ start, isWhole, format: { below } }) =>
        (isWhole ? path === start : path.startsWith(start)) ||
        (below !== undefined && path.startsWith(below)),
    )?.format;
}

/** A team's controllers or gateways can match paths of the service; the message has one line for each. */
export class PathTakenError extends Error {
  override name = 'PathTakenError';
}

/**
 * Keeps the paths of the service free: a controller or gateway of any module but the `builtIn` ones that could match a
 * request for one of them would be shadowed, or would shadow a route that protects an account. Nest's own
 * `routeConflictPolicy` does not fit: with `shadow: 'error'` it also refuses the fallbacks that a controller declares
 * after its own routes. @throws PathTakenError
 */
export function expectFreePaths(routes: readonly Route[], builtIn: ReadonlySet<Type>): void {
  const taken = routes.filter(({ module }) => builtIn.has(module));
  const theirs = routes.filter(({ module }) => !builtIn.has(module));
  const problems = theirs.flatMap((route) => problemOf(route, taken) ?? []);
  if (problems.length > 0) throw new PathTakenError(problems.join('\n'));
}

function problemOf({ path, handler }: Route, taken: readonly Route[]): string | undefined {
  const owner = taken.find((one) => canOverlap(segmentsOf(path), segmentsOf(one.path)));
  if (!owner) return undefined;
  const service = `${owner.path} of ${owner.handler}, which is the service's own`;
  return `${path} of ${handler} can match ${service}: choose another path`;
}

/**
 * Express ignores the case of paths. An escaped character is treated as a parameter or wildcard, which overestimates
 * the overlap.
 */
const segmentsOf = (path: string) =>
  path.toLowerCase().replaceAll('\\', '').split('/').filter(Boolean);

type Segments = readonly string[];

/** Whether two paths can match the same request. Below a wildcard or an optional group any path can. */
function canOverlap([head, ...rest]: Segments, [otherHead, ...otherRest]: Segments): boolean {
  if (head === undefined) return otherHead === undefined || otherHead.startsWith('{');
  if (otherHead === undefined) return head.startsWith('{');
  const canMatch =
    head === otherHead || isPatternOf(head, otherHead) || isPatternOf(otherHead, head);
  return canMatch && (/[*{]/.test(head + otherHead) || canOverlap(rest, otherRest));
}

/** Whether a segment has a parameter, wildcard or group, and its literal prefix allows it to match the other. */
const isPatternOf = (segment: string, other: string) =>
  textOf(segment) !== segment && textOf(other).startsWith(textOf(segment));

const textOf = (segment: string) => /^[^:*{]*/.exec(segment)?.[0] ?? '';
