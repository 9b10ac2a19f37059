import type { Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Asker } from '../asker.js';
import { callContext } from '../calls/call-context.js';
import { CallsService } from '../calls/calls.service.js';
import type { McpOffer, OpenOf } from '../mcp-server.js';
import { McpPromptsService } from './mcp-prompts.service.js';
import { noSuchPrompt, promptUndertaking } from './prompt-undertaking.js';

/** Prompts, where there are any. */
@Injectable()
export class PromptOfferService implements McpOffer<Asker> {
  constructor(
    private readonly prompts: McpPromptsService,
    private readonly calls: CallsService,
  ) {}

  get isThere() {
    return this.prompts.areThere;
  }

  capabilities() {
    return { prompts: {} };
  }

  answerOn(server: Server, openOf: OpenOf<Asker>) {
    server.setRequestHandler('prompts/list', (_request, { mcpReq }) => ({
      prompts: this.prompts.list(openOf(mcpReq.id).asker.caller),
    }));
    server.setRequestHandler('prompts/get', ({ params }, context) => {
      const open = openOf(context.mcpReq.id);
      const prompt = open.asker.callables.prompts.get(params.name);
      if (!prompt) throw noSuchPrompt();
      const call = promptUndertaking(prompt, params.arguments ?? {});
      return this.calls.call(call, callContext(open, context));
    });
  }
}
