import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { setLogReason, RefusalError } from '#libs/accounts';

/** Why a call was refused, for the audit trail. Of this list alone: calls that are alike share a row. */
export type CallRefusalReason =
  | 'bad arguments'
  | 'no credits'
  | 'no permission'
  | 'no answer yet'
  | 'no person to ask'
  | 'not for this caller'
  | 'not found'
  | 'refused by its code'
  | 'screened out'
  | 'tab gone'
  | 'too many at once'
  | 'took too long';

/** A tool throws this when it refuses for an expected reason: one sentence for the model, which says what to do. */
export class ToolError extends Error {
  override name = 'ToolError';
  /** @internal */
  readonly reason: CallRefusalReason;

  constructor(
    message: string,
    {
      reason = 'refused by its code',
      ...options
    }: ErrorOptions & { reason?: CallRefusalReason | undefined } = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}

export const badArguments = (sentence: string): ToolError =>
  new ToolError(sentence, { reason: 'bad arguments' });

/** -32602: the target does not exist, or does not accept these parameters. */
export const invalidParams = (sentence: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, sentence, data);

/** For calls without error results (prompts, resources). @throws ProtocolError -32603, always */
export function refuseByError(sentence: string): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, sentence);
}

/** Headers that disagree with the body (MCP 2026-07-28). */
export const HEADER_MISMATCH = -32_020;

/** For errors without a code of their own, as in the MCP library (JSON-RPC 2.0 §5.1). */
export const SERVER_ERROR = -32_000;

interface JsonRpcRefusal {
  readonly status?: number;
  /** The id of the refused request, if it could be read. */
  readonly id?: string | number | null;
  readonly data?: unknown;
}

export class JsonRpcError extends RefusalError {
  override name = 'JsonRpcError';
  readonly id: string | number | null;
  readonly data: unknown;

  constructor(
    message: string,
    readonly code: number = ProtocolErrorCode.InvalidRequest,
    { status = 400, id = null, data }: JsonRpcRefusal = {},
  ) {
    super(status, message);
    this.id = id;
    this.data = data;
  }
}

const MAX_LENGTH = 300;

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Shortens an error of the library, which has a sentence for each invalid value and repeats what was sent. */
export function shortError({ code, message, data }: ErrorObject): ErrorObject {
  const error = { code, message: shortText(message) };
  const isDataShort = data !== undefined && JSON.stringify(data).length <= MAX_LENGTH;
  return isDataShort ? { ...error, data } : error;
}

export const shortText = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;

/** Sends refusals of the endpoint as JSON-RPC errors; the id is null when no message was read (JSON-RPC 2.0 §5). */
@Catch(RefusalError)
export class JsonRpcErrorFilter implements ExceptionFilter<RefusalError> {
  catch(error: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    const { message, status, headers } = error;
    const { code = SERVER_ERROR, data, id = null }: Partial<JsonRpcError> = error;
    setLogReason(response, message);
    response
      .status(status)
      .set(headers)
      .json({ jsonrpc: '2.0', id, error: shortError({ code, message, data }) });
  }
}
