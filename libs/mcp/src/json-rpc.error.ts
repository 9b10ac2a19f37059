import { RefusalError } from '#libs/accounts';

/** JSON-RPC 2.0 §5.1, MCP 2026-07-28; `other` is for errors without a code of their own, as in the MCP library. */
export const JSON_RPC_CODES = {
  parse: -32_700,
  request: -32_600,
  headers: -32_020,
  other: -32_000,
} as const;

interface JsonRpcRefusal {
  readonly status?: number;
  /** The id of the refused request, if it could be read. */
  readonly id?: string | number | null;
  readonly data?: unknown;
}

/** Refuses a body before any of its messages is processed. */
export class JsonRpcError extends RefusalError {
  override name = 'JsonRpcError';
  readonly id: string | number | null;
  readonly data: unknown;

  constructor(
    message: string,
    readonly code: number = JSON_RPC_CODES.request,
    { status = 400, id = null, data }: JsonRpcRefusal = {},
  ) {
    super(status, message);
    this.id = id;
    this.data = data;
  }
}
