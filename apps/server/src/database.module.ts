import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { budgetMigrations } from '#libs/budget';
import { oauthMigrations } from '#libs/oauth';
import { passkeysMigrations } from '#libs/passkeys';
import { createDataSource, databaseMigrations, type DatabaseUrl, migrate } from '#libs/database';
import { auditMigrations } from './audit/audit-migrations.js';

type Migration = new () => MigrationInterface;

/** In the order they run, across the libs; a lib's own list only ever grows at its end. */
export const migrations = [
  ...databaseMigrations,
  ...accountsMigrations,
  ...passkeysMigrations,
  ...budgetMigrations,
  ...oauthMigrations,
  ...auditMigrations,
];

/** The one data source, for everyone: opened and migrated before anything else starts. */
@Module({})
export class DatabaseModule {
  static forRoot(database: DatabaseUrl, further: readonly Migration[] = []): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ type: database.type, autoLoadEntities: true, retryAttempts: 0 }),
          dataSourceFactory: async (options) => {
            const dataSource = createDataSource(database, {
              entities: options?.entities ?? [],
              migrations: [...migrations, ...further],
            });
            await dataSource.initialize();
            await migrate(dataSource);
            return dataSource;
          },
        }),
      ],
    };
  }
}
