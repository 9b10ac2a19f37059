import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type McpCaller, McpTool, type ToolContent, ToolError, type ToolRun } from '#libs/mcp';
import { PNG, tool } from './fixture-options.js';

/** A sound of zero length. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

const embedded = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;

@Injectable()
export class ContentTool {
  @McpTool(tool('test_simple_text'))
  text() {
    return 'This is a simple text response for testing.';
  }

  @McpTool(tool('test_image_content'))
  image(): ToolContent {
    return { content: [image] };
  }

  @McpTool(tool('test_audio_content'))
  audio(): ToolContent {
    return { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] };
  }

  @McpTool(tool('test_embedded_resource'))
  embedded(): ToolContent {
    const text = 'This is an embedded resource content.';
    return { content: [embedded('test://embedded-resource', 'text/plain', text)] };
  }

  @McpTool(tool('test_multiple_content_types'))
  mixed(): ToolContent {
    const json = JSON.stringify({ test: 'data', value: 123 });
    return {
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embedded('test://mixed-content-resource', 'application/json', json),
      ],
    };
  }

  @McpTool(tool('test_error_handling'))
  fail(): never {
    throw new ToolError('This tool intentionally returns an error for testing');
  }

  @McpTool(tool('test_tool_with_progress'))
  async progress(_input: object, _caller: McpCaller, { progress }: ToolRun) {
    for (const done of [0, 50, 100]) {
      progress(done, 100);
      await setTimeout(50);
    }
    return 'done';
  }

  /** There is nothing to log to: the service announces no logging. */
  @McpTool(tool('test_logging_tool'))
  quiet() {
    return 'done';
  }
}
