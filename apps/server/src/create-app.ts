import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { Extension } from './app.module-definition.js';
import type { Config } from './config/config.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import { createHttpAdapter } from './platform/http/express.adapter.js';
import { limitServer } from './platform/http/server-limits.js';
import { acceptUpgrades } from './platform/http/upgrades.js';
import { ServiceLogger } from './platform/logging/service.logger.js';
import { HubMetricsService } from './platform/metrics/hub-metrics.service.js';
import { MeteredTabsWsAdapter } from './platform/metrics/metered-tabs-ws.adapter.js';
import { TabConnectionsService } from './tabs/tab-connections.service.js';
import { isTabUpgrade } from './tabs/tabs.controller.js';

/** The whole service, ready to listen. `extensions` are what a team brings. */
export async function createApp(config: Config, extensions: readonly Extension[] = []) {
  const logger = new ServiceLogger(config.logLevel);
  const adapter = createHttpAdapter(config, logger);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, [...extensions, ...(await devtools(config))]),
    adapter,
    {
      logger,
      bodyParser: false,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error' },
      snapshot: config.devtoolsPort !== undefined,
    },
  );
  app.useGlobalFilters(new ErrorFilter());
  app.useWebSocketAdapter(new MeteredTabsWsAdapter(app.get(HubMetricsService)));
  limitServer(app.getHttpServer());
  adapter.onEnd(() => app.get(TabConnectionsService, { strict: false }).sendIdleAway());
  acceptUpgrades(app.getHttpServer(), isTabUpgrade);
  return app;
}

/** Loaded where it is asked for only: it is for development, and every start would pay for it. */
async function devtools({ devtoolsPort }: Config): Promise<Extension[]> {
  if (devtoolsPort === undefined) return [];
  const { LoopbackDevtoolsModule } = await import('./platform/devtools.module.js');
  return [{ modules: () => [LoopbackDevtoolsModule.forRoot(devtoolsPort)] }];
}
