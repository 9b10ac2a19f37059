import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** -32602: what was asked for does not exist, or not with these parameters. */
export const invalidParams = (sentence: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence, data);

/** For what has no results that say that something went wrong. @throws ProtocolError -32603, always */
export function refuseByError(sentence: string): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, sentence);
}
