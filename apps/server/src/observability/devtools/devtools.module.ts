import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ConfigurableModuleClass, DevtoolsListenerService } from './devtools-listener.service.js';

@Module({ providers: [DevtoolsListenerService] })
class DevtoolsSnapshotModule extends ConfigurableModuleClass {}

/**
 * Nest Devtools with a listener of ours; undefined where `@nestjs/devtools-integration`, which is optional, is not
 * installed.
 */
export async function loadDevtools(port: number): Promise<DynamicModule | undefined> {
  try {
    const { DevtoolsModule } = await import('@nestjs/devtools-integration');
    return DevtoolsSnapshotModule.forRoot({ port, imports: [withoutProviders(DevtoolsModule)] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * A module whose providers are all replaced by empty objects. Those of the package listen on every address, log a
 * token even without `http`, and run the code that is sent with that token.
 */
function withoutProviders(module: Type<unknown>): DynamicModule {
  const providers = new Reflector().get<Provider[]>('providers', module);
  const tokens = providers.map((one) => (typeof one === 'function' ? one : one.provide));
  return { module, providers: tokens.map((provide) => ({ provide, useValue: {} })) };
}
