import { Injectable } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

/** A method that somebody marked. `owner` names it to whoever wrote it: `AccountStatusTool.accountStatus`. */
export interface MarkedMethod<Options> {
  readonly owner: string;
  readonly options: Options;
  readonly call: (...args: readonly unknown[]) => unknown;
}

type Method = MarkedMethod<unknown>['call'];

/** Looks through every provider of the application, in whatever module. */
@Injectable()
export class MarkedMethodsService {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error that names one whose provider is not the same for all requests; `kind` says what it is */
  find<Options extends { readonly name: string }>(
    mark: DiscoverableDecorator<Options>,
    kind: string,
  ): MarkedMethod<Options>[] {
    return [...this.providers()].flatMap(([instance, wrapper]) => {
      const methods = instance as Record<string, Method>;
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
        if (typeof methods[method] !== 'function') return [];
        const options = this.discovery.getMetadataByDecorator(mark, wrapper, method);
        if (!options) return [];
        const owner = `${instance.constructor.name}.${method}`;
        if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
          throw new Error(`${kind} "${options.name}" (${owner}) needs a provider of default scope`);
        }
        return [{ owner, options, call: (...args) => methods[method]?.(...args) }];
      });
    });
  }

  /** Aliases lead to the same instance; it counts once. */
  private providers(): Map<object, InstanceWrapper> {
    const wrappers = this.discovery.getProviders();
    return new Map(
      wrappers.flatMap((wrapper) => {
        const instance: unknown = wrapper.instance;
        return typeof instance === 'object' && instance !== null ? [[instance, wrapper]] : [];
      }),
    );
  }
}
