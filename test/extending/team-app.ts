import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import type { BuiltIn, Extension } from '#server';
import { startService } from '../support/service.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { storageForTests } from '../support/services/storage-for-tests.js';

@Module({})
export class TeamModule {}

/** An extension with controllers and optional further modules. */
export const bring = (
  controllers: readonly Type<object>[],
  further: NonNullable<ModuleMetadata['imports']> = [],
): Partial<Extension> => ({
  modules: () => [
    { module: TeamModule, controllers: [...controllers] } satisfies DynamicModule,
    ...further,
  ],
});

/** Like `bring`, in a module that imports what the controllers' guards need. */
export const bringGuarded = (...controllers: Type<object>[]): Partial<Extension> => ({
  modules: ({ accounts, oauth }: BuiltIn) => [
    { module: TeamModule, imports: [accounts, oauth], controllers },
  ],
});

/**
 * The service with an extension, on a free port and with its own storage unless it shares that of a replica; rejects
 * when it does not start.
 */
export async function startTeamApp(
  extension: Partial<Extension>,
  variables: Readonly<Record<string, string>> = {},
  replicaOf?: Gatehouse,
): Promise<Gatehouse> {
  const storage = replicaOf?.storage ?? (await storageForTests());
  const disposeOwn = async () => {
    if (!replicaOf) await storage.dispose();
  };
  try {
    const service = await startService({
      variables: { ...storage.environment, ...variables },
      extensions: [{ gatehouse: 1, ...extension }],
    });
    const stop = async () => {
      await service.stop();
      await disposeOwn();
    };
    return { ...service, storage, stop };
  } catch (error) {
    await disposeOwn();
    throw error;
  }
}
