import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { createApp, type Extension, readConfig } from '#server';
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
  const set = { PORT: '0', LOG_LEVEL: 'fatal', ...storage.environment, ...variables };
  const app = await createApp(readConfig(set), [extension]);
  const stop = async () => {
    await app.close();
    await storage.dispose();
  };
  try {
    await app.listen(0, '127.0.0.1');
    return { app, port: Number(new URL(await app.getUrl()).port), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
