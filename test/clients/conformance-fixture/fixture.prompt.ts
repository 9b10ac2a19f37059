import { Injectable } from '@nestjs/common';
import { elicit, inputRequired, type McpCaller, McpPrompt, type ToolRun } from '#libs/mcp';
import { PNG, prompt } from './fixture-options.js';
import { answerOf } from './questions.js';

const says = (content: object) => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });

@Injectable()
export class FixturePrompts {
  @McpPrompt(prompt('test_simple_prompt'))
  simple() {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt(
    prompt(
      'test_prompt_with_arguments',
      { name: 'arg1', values: ['testing', 'tested', 'other'] },
      { name: 'arg2' },
    ),
  )
  withArguments({ arg1, arg2 }: { arg1: string; arg2: string }) {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpPrompt(prompt('test_prompt_with_embedded_resource', { name: 'resourceUri' }))
  withResource({ resourceUri: uri }: { resourceUri: string }) {
    const words = 'Embedded resource content for testing.';
    const embedded = { type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } };
    return [says(embedded), says(text('Please process the embedded resource above.'))];
  }

  @McpPrompt(prompt('test_prompt_with_image'))
  withImage() {
    const image = { type: 'image', data: PNG, mimeType: 'image/png' };
    return [says(image), says(text('Please analyze the image above.'))];
  }

  @McpPrompt(prompt('test_input_required_result_prompt'))
  asking(_args: object, _caller: McpCaller, run: ToolRun) {
    const context = answerOf(run, 'user_context', 'context');
    if (typeof context === 'string') return `In the context of ${context}, go on.`;
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    };
    const message = 'What context should the prompt use?';
    return inputRequired({ user_context: elicit({ message, requestedSchema }) });
  }
}
