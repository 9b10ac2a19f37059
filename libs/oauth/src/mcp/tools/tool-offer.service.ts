import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Asker } from '../asker.js';
import { callContext } from '../calls/call-context.js';
import { CallsService } from '../calls/calls.service.js';
import { argumentsOf } from '../library-message.js';
import type { McpEra, McpOffer, OpenOf } from '../mcp-server.js';
import { McpToolsService } from './mcp-tools.service.js';
import { toolUndertaking } from './tool-undertaking.js';

/** Tools, which are there always. */
@Injectable()
export class ToolOfferService implements McpOffer<Asker> {
  readonly isThere = true;

  constructor(
    private readonly tools: McpToolsService,
    private readonly calls: CallsService,
  ) {}

  get validator() {
    return this.tools.validator;
  }

  /** In the versions of 2025 nothing can be told of a change: there is no stream to tell it on. */
  capabilities(era: McpEra) {
    return { tools: this.tools.canChange && era === 'modern' ? { listChanged: true } : {} };
  }

  answerOn(server: Server, openOf: OpenOf<Asker>) {
    server.setRequestHandler('tools/list', (_request, { mcpReq }) =>
      this.calls.answer(mcpReq.method, async () => ({
        tools: await this.tools.list(openOf(mcpReq.id).asker.caller),
      })),
    );
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const open = openOf(context.mcpReq.id);
      const tool = open.asker.callables.tools.get(params.name);
      if (!tool) throw noSuchTool();
      const call = toolUndertaking(tool, argumentsOf(params));
      return this.calls.call(call, callContext(open, context));
    });
  }
}

const noSuchTool = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'there is no such tool; tools/list names them',
  );
