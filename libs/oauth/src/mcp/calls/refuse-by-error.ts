import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** For what has no results that say that something went wrong. @throws ProtocolError -32603, always */
export function refuseByError(sentence: string): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, sentence);
}
