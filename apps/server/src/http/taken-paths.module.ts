import { type DynamicModule, Inject, Module, type NestModule, type Type } from '@nestjs/common';
import { MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryModule, DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A team's controllers can match paths of the service; the message has one line for each. */
export class PathTakenError extends Error {
  override name = 'PathTakenError';
}

interface Route {
  readonly path: string;
  /** Controller and method, as in `AccountController.me`. */
  readonly handler: string;
  readonly isOurs: boolean;
}

abstract class BuiltIn extends Set<Type> {}

/**
 * Keeps the paths of the service free. A controller of any other module that could match a request for one of them
 * stops the start with PathTakenError: it would be shadowed, or would shadow a route that protects an account. Nest's
 * own `routeConflictPolicy` does not fit: with `shadow: 'error'` it also refuses the fallbacks that a controller
 * declares after its own routes.
 */
@Module({ imports: [DiscoveryModule] })
export class TakenPathsModule implements NestModule {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModulesContainer,
    @Inject(BuiltIn) private readonly builtIn: ReadonlySet<Type>,
  ) {}

  /** `builtIn` are the modules whose controllers belong to the service. */
  static forRoot(builtIn: Iterable<DynamicModule>): DynamicModule {
    const useValue = new Set(Array.from(builtIn, ({ module }) => module));
    return { module: TakenPathsModule, providers: [{ provide: BuiltIn, useValue }] };
  }

  /** Runs before Nest registers any route. */
  configure() {
    const routes = this.discovery.getControllers().flatMap((wrapper) => this.routesOf(wrapper));
    const taken = routes.filter(({ isOurs }) => isOurs);
    const theirs = routes.filter(({ isOurs }) => !isOurs);
    const problems = theirs.flatMap((route) => problemOf(route, taken) ?? []);
    if (problems.length > 0) throw new PathTakenError(problems.join('\n'));
  }

  private routesOf({ host, metatype, name }: ControllerWrapper): Route[] {
    if (!host || !metatype) return [];
    const prefixes = pathsOf(MODULE_PATH + this.modules.applicationId, host.metatype);
    const { prototype } = metatype as Type<Record<string, object>>;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
      const handler = prototype[method];
      if (!handler || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      return prefixes
        .flatMap((prefix) => pathsOf(PATH_METADATA, metatype).map((path) => `${prefix}/${path}`))
        .flatMap((above) => pathsOf(PATH_METADATA, handler).map((path) => `${above}/${path}`))
        .map((path) => ({
          path: `/${path.split('/').filter(Boolean).join('/')}`,
          handler: `${name}.${method}`,
          isOurs: this.builtIn.has(host.metatype),
        }));
    });
  }
}

type ControllerWrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** The paths that a decorator or RouterModule set on a class or method. */
const pathsOf = (key: string, holder: object): string[] =>
  [(Reflect.getMetadata(key, holder) as string | string[] | undefined) ?? ''].flat();

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
