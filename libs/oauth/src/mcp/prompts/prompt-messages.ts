import { type GetPromptResult, specTypeSchemas } from '@modelcontextprotocol/server';

/**
 * A text that the user says, or messages, as the protocol has them.
 * @throws Error when it is neither
 */
export function promptMessages(description: string, output: unknown): GetPromptResult {
  const messages =
    typeof output === 'string'
      ? [{ role: 'user', content: { type: 'text', text: output.toWellFormed() } }]
      : output;
  const checked = specTypeSchemas.GetPromptResult['~standard'].validate({ description, messages });
  if ('value' in Object(checked)) return (checked as { value: GetPromptResult }).value;
  throw new Error('a prompt returns a text or messages of the protocol');
}
