import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** -32602: the target does not exist, or does not accept these parameters. */
export const invalidParams = (sentence: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence, data);

/** For calls without error results (prompts, resources). @throws ProtocolError -32603, always */
export function refuseByError(sentence: string): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, sentence);
}
