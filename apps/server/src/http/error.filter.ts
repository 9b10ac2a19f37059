import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ErrorFormat, setLogReason, RefusalError } from '#libs/accounts';
import { LimitUnknownError } from '#libs/budget';
import { currentRequestId, isDatabaseOutage, isRedisOutage } from '#libs/platform';

/** Whether a retry may succeed without any change: a storage, or the store of the limits, does not answer. */
const isStorageOutage = (error: unknown): boolean =>
  isDatabaseOutage(error) || isRedisOutage(error) || error instanceof LimitUnknownError;

/** The content of a refusal: a sentence, and the JSON object that replaces it where the thrower gave one. */
export interface RefusalText {
  readonly message: string;
  readonly body?: object;
}

/** The reason phrase of a status, in lower case. */
const statusText = (status: number): string => (STATUS_CODES[status] ?? 'refused').toLowerCase();

/**
 * Reads the response of an HttpException. Nest wraps a text as `{ message, error, statusCode }`, with the reason
 * phrase where the thrower gave no text; any other object is the thrower's own.
 */
export function textOfHttpException(status: number, response: string | object): RefusalText {
  if (typeof response === 'string') return { message: response };
  const { message, error: _error, statusCode, ...own } = response as Record<string, unknown>;
  const isWrapped = statusCode === status && typeof message === 'string';
  if (!isWrapped || Object.keys(own).length > 0) {
    return { message: statusText(status), body: response };
  }
  return { message: message === STATUS_CODES[status] ? statusText(status) : message };
}

interface Answer extends RefusalText {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Turns every failure into an answer: JSON where the controllers of its path say so (`@ErrorFormat`), plain text
 * elsewhere. An expected failure says what happened and what to do; an HttpException of a controller keeps its own
 * message or JSON object. An unexpected failure, and any with status 500 or above, answers only a request id; the log
 * has the details under that id, which `X-Request-Id` carries too.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(private readonly formatOf: (path: string) => ErrorFormat | undefined) {}

  catch(error: unknown, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const refusal = expected(error, request);
    const answer = refusal ?? this.unexpected(error);
    const { status, message, reason, headers = {}, body } = answer;
    // A storage that does not answer fails many requests: the log lines of the requests have the error.
    if (isStorageOutage(error)) setLogReason(response, `storage does not answer: ${String(error)}`);
    else if (refusal) setLogReason(response, message);
    if (response.headersSent) return void response.destroy();
    response.status(status).set(headers);
    const failure = { status, message, reason, isExpected: refusal !== undefined };
    const json = body ?? this.formatOf(request.path)?.bodyOf(failure);
    if (json) response.json(json);
    else this.answer(request, response, status, message);
  }

  /** The answer where the path has no format of its own; status and headers of the failure are set. */
  protected answer(_request: Request, response: Response, _status: number, message: string) {
    response.type('text/plain').send(message);
  }

  private unexpected(error: unknown): Answer {
    const id = currentRequestId() ?? randomUUID();
    if (isStorageOutage(error)) {
      return {
        status: 503,
        message: `storage does not answer; try again shortly (request ${id})`,
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      };
    }
    this.logger.error(
      `request ${id}: ${String(error)}`,
      error instanceof Error ? error.stack : undefined,
    );
    const status = error instanceof HttpException ? error.getStatus() : 500;
    const text = status === 500 ? 'internal error' : statusText(status);
    return { status, message: `${text} (request ${id})` };
  }
}

function expected(error: unknown, { route }: Request): Answer | undefined {
  if (error instanceof RefusalError) return error;
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return undefined;
  const status = error.getStatus();
  // Nest's message for an unknown path repeats the path.
  if (route === undefined) return { status, message: statusText(status) };
  return { status, ...textOfHttpException(status, error.getResponse()) };
}
