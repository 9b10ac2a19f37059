import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { openCors } from '#libs/oauth';
import { AccountTurnsModule } from '#libs/platform';
import { AccountCalls } from './account-calls.js';
import { Cancellations } from './cancellations.js';
import { InProcessCancellations } from './cancellations.in-process.js';
import { CancelledCallsService } from './cancelled-calls.service.js';
import { CallsService } from './calls.service.js';
import { MarkedMethodsService } from './marked-methods.service.js';
import { McpController } from './mcp.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { McpFeaturesService } from './mcp-features.service.js';
import { ConfigurableModuleClass } from './mcp.module-definition.js';
import { McpServerService } from './mcp-server.service.js';
import { McpPromptsService } from './prompts/mcp-prompts.service.js';
import { AccountResources, NoAccountResources } from './resources/account-resources.js';
import { McpResourcesService } from './resources/mcp-resources.service.js';
import { RoundsService } from './rounds/rounds.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { AccountTools, NoAccountTools } from './tools/account-tools.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { OpenToolPolicy, ToolPolicy } from './tools/tool-policy.js';

/** The hosted MCP endpoint, with the tools, resources and prompts of all providers of the application. */
@Module({
  imports: [AccountTurnsModule, DiscoveryModule],
  controllers: [McpController],
  providers: [
    AccountCalls,
    { provide: AccountResources, useClass: NoAccountResources },
    { provide: AccountTools, useClass: NoAccountTools },
    CallsService,
    CancelledCallsService,
    { provide: Cancellations, useClass: InProcessCancellations },
    MarkedMethodsService,
    McpEndpointService,
    McpFeaturesService,
    McpPromptsService,
    McpResourcesService,
    McpServerService,
    McpToolsService,
    RoundsService,
    SubscriptionsService,
    { provide: ToolPolicy, useClass: OpenToolPolicy },
  ],
})
export class McpModule extends ConfigurableModuleClass implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(openCors('POST')).forRoutes('svc/mcp', 'svc/mcp/{*path}');
  }
}
