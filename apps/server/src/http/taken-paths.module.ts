import { type DynamicModule, Inject, Module, type NestModule, type Type } from '@nestjs/common';
import { MODULE_PATH, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { PathsExplorer } from '@nestjs/core/router/paths-explorer.js';
import { RouteConflictDetector } from '@nestjs/core/router/route-conflict-detector.js';
import { PathTakenError } from './path-taken.error.js';

interface Route {
  readonly path: string;
  /** Controller and method, as in `AccountController.me`. */
  readonly handler: string;
}

abstract class BuiltIn extends Set<Type> {}

type ContainedModule = ModulesContainer extends Map<string, infer Contained> ? Contained : never;

/**
 * Holds the paths of the service free. A controller of any other module that could match a request
 * of one of them stops the start with PathTakenError: it would be shadowed, or shadow what guards an
 * account. Nest's own `routeConflictPolicy` cannot say this: with `shadow: 'error'` it also refuses
 * the fallbacks that a controller declares behind routes of its own.
 */
@Module({})
export class TakenPathsModule implements NestModule {
  private readonly explorer = new PathsExplorer(new MetadataScanner());

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(BuiltIn) private readonly builtIn: ReadonlySet<Type>,
  ) {}

  /** `builtIn` are the modules whose controllers are the service's own. */
  static forRoot(builtIn: Iterable<DynamicModule>): DynamicModule {
    const useValue = new Set(Array.from(builtIn, ({ module }) => module));
    return { module: TakenPathsModule, providers: [{ provide: BuiltIn, useValue }] };
  }

  /** Is called before Nest registers any route. */
  configure() {
    const all = [...this.modules.values()];
    const ours = all.filter(({ metatype }) => this.builtIn.has(metatype));
    const theirs = all.filter(({ metatype }) => !this.builtIn.has(metatype));
    const taken = ours.flatMap((module) => this.routesOf(module));
    const problems = theirs
      .flatMap((module) => this.routesOf(module))
      .flatMap((route) => problemOf(route, taken) ?? []);
    if (problems.length > 0) throw new PathTakenError(problems.join('\n'));
  }

  private routesOf({ controllers, metatype }: ContainedModule): Route[] {
    const prefixes = pathsOf(MODULE_PATH + this.modules.applicationId, metatype);
    return [...controllers.values()].flatMap(({ metatype: controller, name }) => {
      if (!controller) return [];
      const { prototype } = controller as Type<object>;
      const routes = this.explorer.scanForPaths(prototype, prototype);
      return join(prefixes, pathsOf(PATH_METADATA, controller)).flatMap((above) =>
        routes.flatMap(({ path, methodName }) =>
          join([above], path).map((full) => ({ path: full, handler: `${name}.${methodName}` })),
        ),
      );
    });
  }
}

/** The paths that a decorator, or RouterModule, left on a class. */
const pathsOf = (key: string, holder: object): string[] =>
  [(Reflect.getMetadata(key, holder) as string | string[] | undefined) ?? ''].flat();

const join = (above: readonly string[], below: readonly string[]) =>
  above.flatMap((head) =>
    below.map((tail) => `/${head}/${tail}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')),
  );

function problemOf({ path, handler }: Route, taken: readonly Route[]): string | undefined {
  const owner = taken.find((one) => RouteConflictDetector.pathsCanOverlap(path, one.path));
  if (!owner) return undefined;
  const service = `${owner.path} of ${owner.handler}, which is the service's own`;
  return `${path} of ${handler} can match ${service}: choose another path`;
}
