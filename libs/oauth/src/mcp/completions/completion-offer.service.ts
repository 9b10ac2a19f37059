import type { CompleteResult, Server } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { Asker } from '../asker.js';
import { CallsService } from '../calls/calls.service.js';
import type { McpOffer, OpenOf } from '../mcp-server.js';
import { McpPromptsService } from '../prompts/mcp-prompts.service.js';
import { noSuchPrompt } from '../prompts/prompt-undertaking.js';
import { McpResourcesService } from '../resources/mcp-resources.service.js';
import { noSuchResource } from '../resources/resource-undertaking.js';

/** Of one answer, as the protocol has it. */
const MAX_VALUES = 100;

/** Values that a client may suggest for an argument of a prompt, or a variable of a uri. */
@Injectable()
export class CompletionOfferService implements McpOffer<Asker> {
  constructor(
    private readonly prompts: McpPromptsService,
    private readonly resources: McpResourcesService,
    private readonly calls: CallsService,
  ) {}

  get isThere() {
    return this.prompts.haveValues || this.resources.haveAccounts;
  }

  capabilities() {
    return { completions: {} };
  }

  answerOn(server: Server, openOf: OpenOf<Asker>) {
    server.setRequestHandler('completion/complete', ({ params }, { mcpReq }) =>
      this.calls.answer(mcpReq.method, async () => {
        const { ref, argument } = params;
        const { caller } = openOf(mcpReq.id).asker;
        if (ref.type === 'ref/prompt') {
          const values = this.prompts.valuesOf(ref.name, argument.name, caller);
          if (!values) throw noSuchPrompt();
          return completion(values, argument.value);
        }
        const values = await this.resources.valuesOf(ref.uri, argument.name, caller);
        if (!values) throw noSuchResource(ref.uri);
        return completion(values, argument.value);
      }),
    );
  }
}

function completion(all: readonly string[], beginning: string): CompleteResult {
  const values = all.filter((value) => value.startsWith(beginning));
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}
