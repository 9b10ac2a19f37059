import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import type { Extension } from '#server';
import { startService } from '../support/service.js';
import { storageForTests } from '../support/services/storage-for-tests.js';

@Module({})
export class TeamModule {}

/** What a team brings that has controllers, and perhaps further modules. */
export const bring = (
  controllers: readonly Type<object>[],
  further: NonNullable<ModuleMetadata['imports']> = [],
): Extension => ({
  modules: () => [
    { module: TeamModule, controllers: [...controllers] } satisfies DynamicModule,
    ...further,
  ],
});

/** The service with an extension, on a free port and storage of its own; rejects when it does not start. */
export async function startTeamApp(
  extension: Extension,
  variables: Readonly<Record<string, string>> = {},
) {
  const storage = await storageForTests();
  try {
    const { app, port, stop } = await startService({
      variables: { ...storage.environment, ...variables },
      extensions: [extension],
    });
    const stopAll = async () => {
      await stop();
      await storage.dispose();
    };
    return { app, port, stop: stopAll };
  } catch (error) {
    await storage.dispose();
    throw error;
  }
}
