import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type McpCaller, McpTool, type ToolRun } from 'gatehouse/mcp';

const DOT = '<circle cx="5" cy="5" r="5"/>';

/** Draws a card, which takes a while. */
@Injectable()
export class CardTool {
  @McpTool({
    name: 'acme_card',
    title: 'Card',
    description: 'Draws a greeting card with dots.',
    scope: 'acme:greet',
    inputSchema: {
      type: 'object',
      properties: { dots: { type: 'integer', minimum: 1, maximum: 100 } },
      required: ['dots'],
    },
  })
  async draw({ dots }: { dots: number }, { user }: McpCaller, { signal, progress }: ToolRun) {
    for (let dot = 1; dot <= dots; dot += 1) {
      await setTimeout(20, undefined, { signal });
      progress(dot, dots, `dot ${dot}`);
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${DOT.repeat(dots)}</svg>`;
    return {
      content: [
        { type: 'text', text: `A card for ${user.displayName}` },
        { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') },
      ],
    };
  }
}
