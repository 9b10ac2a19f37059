import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Load } from '#libs/load';
import { BearerErrorFilter, SubscriptionsService } from '#libs/oauth';
import {
  acceptUpgrades,
  isTabUpgrade,
  TabConnectionsService,
  TabSocketsService,
} from '#libs/tab-hub';
import { AppModule } from './app.module.js';
import type { Extension } from './app.module-definition.js';
import type { Config } from './config/config.js';
import { ErrorFilter } from './http/error.filter.js';
import { createHttpAdapter } from './http/express.adapter.js';
import { closeLostAnswers } from './http/lost-answers.js';
import { watchLoop } from './http/loop-watch.js';
import { limitServer } from './http/server-limits.js';
import { expectMigrated } from './migrate-database.js';
import { ServiceLogger } from './observability/logging/service.logger.js';
import { HubMetricsService } from './observability/metrics/hub-metrics.service.js';
import { LoadMetricsService } from './observability/metrics/load-metrics.service.js';
import { expectWrittenForThis } from './written-for.js';

/**
 * The whole service, ready to listen. `extensions` are what a team brings.
 * @throws ExtensionError for one that was written for another major version; NotMigratedError where the
 * database lacks migrations that the configuration does not let it run
 */
export async function createApp(config: Config, extensions: readonly Extension[] = []) {
  for (const extension of extensions) expectWrittenForThis(extension, 'an extension');
  if (!config.migratesAtStart) await expectMigrated(config.database, extensions);
  const logger = new ServiceLogger(config.logLevel);
  const load = new Load();
  const traces = await openTraces(config);
  const adapter = createHttpAdapter(config, logger, load, traces?.traceRequest);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, [
      ...extensions,
      ...(await devtools(config)),
      ...(traces?.parts ?? []),
    ]),
    adapter,
    {
      logger,
      bodyParser: false,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error' },
      snapshot: config.devtoolsPort !== undefined,
    },
  );
  app.useGlobalFilters(new ErrorFilter(), app.get(BearerErrorFilter, { strict: false }));
  app.get(LoadMetricsService).show(load);
  app.get(HubMetricsService).show(app.get(TabSocketsService, { strict: false }));
  limitServer(app.getHttpServer());
  closeLostAnswers(app.getHttpServer());
  watchLoop(app.getHttpServer(), load.lag);
  adapter.onEnd(() => app.get(SubscriptionsService, { strict: false }).endAll());
  adapter.onEnd(() => app.get(TabConnectionsService, { strict: false }).sendIdleAway());
  acceptUpgrades(app.getHttpServer(), isTabUpgrade);
  return app;
}

/** Loaded where it is asked for only. */
async function openTraces({ tracing }: Config) {
  if (tracing === undefined) return undefined;
  const { openTracing } = await import('./observability/tracing/tracing.module.js');
  const { traceRequest, module } = openTracing(tracing);
  const parts: Partial<Extension>[] = [{ modules: () => [module] }];
  return { traceRequest, parts };
}

/** Loaded where it is asked for only: it is for development, and every start would pay for it. */
async function devtools({ devtoolsPort }: Config): Promise<Partial<Extension>[]> {
  if (devtoolsPort === undefined) return [];
  const { LoopbackDevtoolsModule } = await import('./devtools.module.js');
  return [{ modules: () => [LoopbackDevtoolsModule.forRoot(devtoolsPort)] }];
}
