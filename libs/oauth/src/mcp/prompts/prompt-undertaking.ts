import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { refuseByError } from '../calls/refuse-by-error.js';
import type { Undertaking } from '../calls/undertaking.js';
import { InputRequired } from '../rounds/input-required.js';
import type { RegisteredPrompt } from './mcp-prompts.service.js';
import { promptMessages } from './prompt-messages.js';
import { argumentsProblem } from './prompt-registry.js';

/** A prompt that is got. */
export const promptUndertaking = (
  { options, call }: RegisteredPrompt,
  args: Readonly<Record<string, string>>,
): Undertaking<GetPromptResult> => ({
  label: `prompt ${options.name}`,
  method: 'prompts/get',
  name: options.name,
  input: args,
  refuse: refuseByError,
  perform: async (caller, run) => {
    const problem = argumentsProblem(options, args);
    if (problem !== undefined) throw invalid(`These arguments do not fit: ${problem}.`);
    const output = await call(args, caller, run);
    return output instanceof InputRequired ? output : promptMessages(options.description, output);
  },
});

export const noSuchPrompt = (): ProtocolError =>
  invalid('there is no such prompt; prompts/list names them');

const invalid = (sentence: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
