import type { Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Asker } from '../asker.js';
import { callContext } from '../calls/call-context.js';
import { CallsService } from '../calls/calls.service.js';
import type { McpEra, McpOffer, OpenOf } from '../mcp-server.js';
import { McpResourcesService } from './mcp-resources.service.js';
import { noSuchResource, resourceUndertaking } from './resource-undertaking.js';

/** Resources, where there are any. */
@Injectable()
export class ResourceOfferService implements McpOffer<Asker> {
  constructor(
    private readonly resources: McpResourcesService,
    private readonly calls: CallsService,
  ) {}

  get isThere() {
    return this.resources.areThere;
  }

  /** In the versions of 2025 nothing can be told of a change. */
  capabilities(era: McpEra) {
    const doChange = this.resources.haveAccounts && era === 'modern';
    return { resources: doChange ? { listChanged: true } : {} };
  }

  answerOn(server: Server, openOf: OpenOf<Asker>) {
    server.setRequestHandler('resources/list', (_request, { mcpReq }) =>
      this.calls.answer(mcpReq.method, async () => ({
        resources: await this.resources.list(openOf(mcpReq.id).asker.caller),
      })),
    );
    server.setRequestHandler('resources/templates/list', (_request, { mcpReq }) => ({
      resourceTemplates: this.resources.listTemplates(openOf(mcpReq.id).asker.caller),
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
      const open = openOf(context.mcpReq.id);
      const resource = open.asker.callables.resources.get(uri);
      if (!resource) throw noSuchResource(uri);
      return this.calls.call(resourceUndertaking(resource, uri), callContext(open, context));
    });
  }
}
