import { RefusalError } from '#libs/accounts';

/** JSON-RPC 2.0 §5.1; the last is for what has no code of its own, as the MCP library uses it. */
export const JSON_RPC_CODES = { parse: -32_700, request: -32_600, other: -32_000 } as const;

/** Refuses a body before any message of it is looked at. */
export class JsonRpcError extends RefusalError {
  override name = 'JsonRpcError';

  constructor(
    message: string,
    readonly code: number = JSON_RPC_CODES.request,
  ) {
    super(400, message);
  }
}
