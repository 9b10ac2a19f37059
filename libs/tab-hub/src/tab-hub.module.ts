import { Module } from '@nestjs/common';
import { AccountTurnsModule, defineModule, Intervals, SchemaChecksModule } from '#libs/platform';
import { AccountAnnouncerService } from './bus/account-announcer.service.js';
import { InProcessTabBus } from './bus/tab-bus.in-process.js';
import { TabBus } from './bus/tab-bus.js';
import { AccountHubsService } from './hub/account-hubs.service.js';
import { NoOpenRequests, OpenRequests } from './hub/open-requests.js';
import { TabsService } from './hub/tabs.service.js';
import { InProcessTabPresence } from './presence/tab-presence.in-process.js';
import { OfferNotes, TabPresence } from './presence/tab-presence.js';
import { SessionWatchService } from './socket/session-watch.service.js';
import { TabConnectionsService } from './socket/tab-connections.service.js';
import { TabInflowService } from './socket/tab-inflow.service.js';
import { TabOffersService } from './socket/tab-offers.service.js';
import { TabsController } from './socket/tabs.controller.js';
import { TabsGateway } from './socket/tabs.gateway.js';

/**
 * The hub of every account's tabs. `imports` brings the accounts module; OfferNotes, OpenRequests, TabBus and
 * TabPresence are ports.
 */
@Module({
  imports: [AccountTurnsModule, Intervals, SchemaChecksModule],
  controllers: [TabsController],
  providers: [
    AccountAnnouncerService,
    AccountHubsService,
    OfferNotes,
    SessionWatchService,
    TabConnectionsService,
    TabInflowService,
    TabOffersService,
    TabsGateway,
    TabsService,
    { provide: OpenRequests, useClass: NoOpenRequests },
    { provide: TabBus, useClass: InProcessTabBus },
    { provide: TabPresence, useClass: InProcessTabPresence },
  ],
  exports: [TabConnectionsService, TabInflowService, TabsService],
})
export class TabHubModule extends defineModule<object>('TabHub').ConfigurableModuleClass {}
