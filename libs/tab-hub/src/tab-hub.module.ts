import { Module } from '@nestjs/common';
import { AccountHubsService } from './account-hubs.service.js';
import { SessionWatchService } from './session-watch.service.js';
import { TabBus } from './tab-bus.js';
import { InProcessTabBus } from './tab-bus.in-process.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TabHeartbeatService } from './tab-heartbeat.service.js';
import { TabPresence } from './tab-presence.js';
import { InProcessTabPresence } from './tab-presence.in-process.js';
import { TabsController } from './tabs.controller.js';
import { TabsGateway } from './tabs.gateway.js';
import { ConfigurableModuleClass } from './tabs.module-definition.js';
import { TabsService } from './tabs.service.js';

/** The hub of every account's tabs, at `/svc/me/tabs` and for code that acts for the account's apps. */
@Module({
  controllers: [TabsController],
  providers: [
    AccountHubsService,
    SessionWatchService,
    TabConnectionsService,
    TabHeartbeatService,
    TabsGateway,
    TabsService,
    { provide: TabBus, useClass: InProcessTabBus },
    { provide: TabPresence, useClass: InProcessTabPresence },
  ],
  exports: [TabsService],
})
export class TabsModule extends ConfigurableModuleClass {}
