import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountTurnsModule, Intervals } from '#libs/platform';
import { CallApprovalService, CallScreening } from './call-approval.service.js';
import { CallLimiter } from './call-limit.js';
import { Cancellations, CancelledCallsService, InProcessCancellations } from './cancellation.js';
import { CallsService } from './call.service.js';
import { MethodDiscoveryService } from './method-discovery.service.js';
import { McpController, McpDiscoveryController } from './mcp.controller.js';
import { ConfigurableModuleClass } from './mcp.module-definition.js';
import { McpServerService } from './mcp-server.service.js';
import { McpPromptsService } from './prompt.service.js';
import { McpResourcesService } from './resource.service.js';
import { QuestionsService } from './question.js';
import { SubscriptionsService } from './subscription.service.js';
import { OfferPolicy, OpenOfferPolicy } from './offer-policy.js';
import { McpToolsService } from './tool.service.js';

@Module({
  imports: [AccountTurnsModule, DiscoveryModule, Intervals],
  controllers: [McpDiscoveryController, McpController],
  providers: [
    CallApprovalService,
    CallLimiter,
    CallScreening,
    CallsService,
    CancelledCallsService,
    { provide: Cancellations, useClass: InProcessCancellations },
    MethodDiscoveryService,
    McpPromptsService,
    McpResourcesService,
    McpServerService,
    McpToolsService,
    QuestionsService,
    SubscriptionsService,
    { provide: OfferPolicy, useClass: OpenOfferPolicy },
  ],
  exports: [SubscriptionsService],
})
export class McpModule extends ConfigurableModuleClass {}
