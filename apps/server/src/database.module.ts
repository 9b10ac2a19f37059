import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { budgetMigrations } from '#libs/budget';
import { oauthMigrations } from '#libs/oauth';
import { passkeysMigrations } from '#libs/passkeys';
import {
  type DatabaseUrl,
  createDataSource,
  databaseMigrations,
  migrate,
  openMigrated,
} from '#libs/platform';
import { explained } from './storage-problems.js';
import { auditMigrations } from './audit/audit-migrations.js';
import { outboxMigrations } from './outbox/outbox-migrations.js';

type Migration = new () => MigrationInterface;

/** In the order they run, across the libs; a lib's own list only ever grows at its end. */
export const migrations = [
  ...databaseMigrations,
  ...accountsMigrations,
  ...passkeysMigrations,
  ...budgetMigrations,
  ...oauthMigrations,
  ...auditMigrations,
  ...outboxMigrations,
];

type Entities = DataSourceOptions['entities'];

/** The one data source, for everyone: open before anything else starts. */
@Module({})
export class DatabaseModule {
  /** Runs missing migrations as well. */
  static forRoot(database: DatabaseUrl, further: readonly Migration[] = []): DynamicModule {
    return DatabaseModule.opened(database, async (entities) => {
      const all = { entities, migrations: [...migrations, ...further] };
      const dataSource = await createDataSource(database, all).initialize();
      await migrate(dataSource);
      return dataSource;
    });
  }

  /** For a database that is known to have all migrations. */
  static forUnchanged(database: DatabaseUrl): DynamicModule {
    return DatabaseModule.opened(database, (entities) =>
      createDataSource(database, { entities }).initialize(),
    );
  }

  /**
   * For a process that may not change the schema: the start fails with NotMigratedError where a migration is missing.
   */
  static forMigrated(database: DatabaseUrl): DynamicModule {
    return DatabaseModule.opened(database, (entities) =>
      openMigrated(database, entities, migrations),
    );
  }

  private static opened(
    database: DatabaseUrl,
    open: (entities: NonNullable<Entities>) => Promise<DataSource>,
  ): DynamicModule {
    const { type } = database;
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ type, autoLoadEntities: true, toRetry: () => false }),
          dataSourceFactory: (options) => explained(database, () => open(options?.entities ?? [])),
        }),
      ],
    };
  }
}
