import { Injectable } from '@nestjs/common';
import {
  type AnyMcpCaller,
  elicit,
  inputRequired,
  type McpCaller,
  McpTool,
  ToolError,
  type ToolRun,
} from 'gatehouse/mcp';

const SURE = elicit({
  message: 'Order this anvil?',
  requestedSchema: {
    type: 'object',
    properties: { sure: { type: 'boolean', title: 'Yes, order it' } },
    required: ['sure'],
  },
});

const PRICES = { small: 20, large: 90 };

/** Unless the user declined. */
interface Answer {
  readonly content?: { readonly sure?: unknown };
}

/** Orders nothing before its user said yes. */
@Injectable()
export class OrderTool {
  @McpTool({
    name: 'acme_order',
    title: 'Order an anvil',
    description: 'Orders an anvil, after asking the user.',
    scope: 'acme:greet',
    inputSchema: {
      type: 'object',
      properties: { size: { type: 'string', enum: ['small', 'large'] } },
      required: ['size'],
    },
  })
  order({ size }: { size: 'small' | 'large' }, _caller: McpCaller, run: ToolRun) {
    const offer = { price: PRICES[size] };
    if (run.requestState === undefined) return inputRequired({ sure: SURE }, offer);
    const answer = run.inputResponses['sure'] as Answer | undefined;
    if (answer?.content?.sure !== true) throw new ToolError('The user said no.');
    return { ordered: size, ...(run.requestState as { price: number }) };
  }

  @McpTool({
    name: 'acme_price',
    title: 'Price of an anvil',
    description: 'Tells what a small anvil costs.',
    scope: 'acme:greet',
    callers: 'both',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  })
  price(_input: object, caller: AnyMcpCaller) {
    const asking = caller.user ? caller.user.displayName : caller.app;
    return `An anvil for ${asking} is ${PRICES.small} euros`;
  }
}
