import { Reflector } from '@nestjs/core';

interface Failure {
  readonly status: number;
  readonly message: string;
  readonly reason?: string | undefined;
  /** False for errors that no code throws as an answer, such as an outage. */
  readonly isExpected: boolean;
}

/** How failures look on the paths of a controller. */
export interface ErrorFormat {
  /** The JSON body; undefined for plain text, which is the format of controllers without this decorator. */
  readonly bodyOf: (failure: Failure) => object | undefined;
  /** Applies to all paths that begin with this as well, whether a controller answers there or not. */
  readonly below?: string;
}

/**
 * For a controller: how the application answers failures on its paths, those of middlewares before it included. What
 * a filter of the controller answers, and errors that have a body of their own, are not affected.
 */
export const ErrorFormat = Reflector.createDecorator<ErrorFormat>();

const jsonOf = ({ message, reason }: Failure) => ({ error: message, reason });

/** Contract, Account endpoints: always JSON `{ error }`. */
export const ACCOUNT_ENDPOINTS: ErrorFormat = { bodyOf: jsonOf, below: '/svc/auth/' };

/** Contract, One's own account: JSON `{ error }`, but 405 is plain text. */
export const OWN_ACCOUNT: ErrorFormat = {
  bodyOf: (failure) => (failure.status === 405 ? undefined : jsonOf(failure)),
};
