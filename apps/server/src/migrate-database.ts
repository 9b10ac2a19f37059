import { type DatabaseUrl, createDataSource, migrate, openMigrated } from '#libs/platform';
import { type Extension, migrationsOf } from './app.module-definition.js';
import { explained } from './storage-problems.js';
import { migrations } from './database.module.js';

/**
 * Runs the migrations that the database lacks, all of them or none, and returns their names. Any number of
 * processes may do so at once, as the service does when it starts with `MIGRATE=on`. @throws DatabaseStartError
 */
export async function migrateDatabase(
  database: DatabaseUrl,
  extensions: readonly Extension[] = [],
): Promise<string[]> {
  return explained(database, async () => {
    const dataSource = createDataSource(database, { migrations: allMigrations(extensions) });
    await dataSource.initialize();
    try {
      return await migrate(dataSource);
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Only checks. @throws NotMigratedError when the database lacks a migration, DatabaseStartError */
export async function expectMigrated(
  database: DatabaseUrl,
  extensions: readonly Extension[],
): Promise<void> {
  const open = () => openMigrated(database, [], allMigrations(extensions));
  const dataSource = await explained(database, open);
  await dataSource.destroy();
}

/** Those of this version and of the extensions, in the order in which they run. */
export const allMigrations = (extensions: readonly Extension[]) => [
  ...migrations,
  ...migrationsOf(extensions),
];
