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
    const dataSource = createDataSource(database, { migrations: all(extensions) });
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
  const open = () => openMigrated(database, [], all(extensions));
  const dataSource = await explained(database, open);
  await dataSource.destroy();
}

const all = (extensions: readonly Extension[]) => [...migrations, ...migrationsOf(extensions)];
