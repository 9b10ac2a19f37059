import { RefusalError } from '#libs/accounts';

interface AuthorizeRefusalText {
  /** 400 by default. */
  readonly status?: number;
  readonly happened: string;
  readonly next: string;
}

const START_AGAIN = 'Start again from the app.';

/**
 * The refusals of the authorization endpoint, for users: what happened, with every possible cause, and what to do next.
 * They repeat nothing of the request.
 */
export const AUTHORIZE_REFUSALS = {
  ambiguous: {
    happened: 'The app’s request contains client_id or redirect_uri more than once.',
    next: 'Start again from the app. If this happens again, contact the app’s developers.',
  },
  unknownClient: {
    happened:
      'Unknown OAuth client: the app isn’t registered with this service. A registration is removed when no one connects the app within 30 days.',
    next: 'Have the app forget this service (sign out of the service in the app, or clear the app’s saved data about it) and connect again, so that it registers again.',
  },
  blocked: {
    happened: 'This service doesn’t allow this app.',
    next: 'Ask an administrator of this service about it.',
  },
  schemeNotAllowed: {
    happened:
      'The app asks to be opened through its own URL scheme, which this service doesn’t allow.',
    next: 'Ask an administrator of this service to add the scheme to PRIVATE_USE_REDIRECT_SCHEMES, then start again from the app.',
  },
  /** One text for every cause, so that a caller cannot use it to probe which hosts this service reaches. */
  unverified: {
    happened:
      'The app could not be verified: the information that it publishes about itself couldn’t be loaded or isn’t valid.',
    next: 'Try again in a minute. If this happens again, contact the app’s developers.',
  },
  foreignAnswer: {
    status: 403,
    happened:
      'This answer came from another site, or from this page at a different address, so it wasn’t accepted.',
    next: START_AGAIN,
  },
  scriptedAnswer: {
    status: 403,
    happened:
      'This answer was sent by a script or a frame instead of the page itself, so it wasn’t accepted.',
    next: 'Start again from the app, and answer in a separate tab.',
  },
  sessionOver: {
    status: 401,
    happened:
      'You’re no longer signed in, so your answer wasn’t accepted and the app wasn’t given access.',
    next: 'Start again from the app, and sign in when you’re asked to.',
  },
  notFresh: {
    status: 403,
    happened:
      'While this form was open, your account got a passkey or your sign-in became too old to connect an app, so it wasn’t given access.',
    next: 'Start again from the app, and sign in with your passkey if you have one.',
  },
  noForm: {
    happened: 'This answer doesn’t belong to any form of this service.',
    next: START_AGAIN,
  },
  formGone: {
    happened:
      'This form is no longer valid: it was already answered, perhaps in another tab, was open for more than 10 minutes, or its app was disconnected.',
    next: 'See whether the app is already connected. If it isn’t, start again from the app.',
  },
  formExpired: {
    happened: 'This form was open for more than 10 minutes, so your answer wasn’t accepted.',
    next: START_AGAIN,
  },
  otherSession: {
    happened:
      'Someone signed in again after this form was shown, perhaps with another account, so your answer wasn’t accepted.',
    next: 'Start again from the app, and check which account the form shows.',
  },
  clientGone: {
    happened:
      'The app’s registration ended while this form was open, so the app wasn’t given access.',
    next: 'Have the app forget this service and connect again, so that it registers again.',
  },
  clientChanged: {
    happened:
      'The app changed its redirect address while this form was open, so it wasn’t given access.',
    next: START_AGAIN,
  },
} as const satisfies Readonly<Record<string, AuthorizeRefusalText>>;

export type AuthorizeRefusal = keyof typeof AUTHORIZE_REFUSALS;

export function authorizeRefusal(cause: AuthorizeRefusal, options?: ErrorOptions): RefusalError {
  const { status = 400, happened, next }: AuthorizeRefusalText = AUTHORIZE_REFUSALS[cause];
  return new RefusalError(status, `${happened} ${next}`, {}, options);
}

/** An invalid request that cannot be answered with a redirect; `fault` is the library's description. */
export const faultyRequest = (fault: string): RefusalError =>
  new RefusalError(
    400,
    `The app’s request isn’t valid: ${fault}. Start again from the app. If this happens again, contact the app’s developers.`,
  );

export const asCut = ({ status, message, headers }: RefusalError): RefusalError =>
  new RefusalError(
    status,
    `${message} The address may have been cut: if you copied it, copy it whole.`,
    headers,
  );

/** A client that the client policy refuses, with the policy's reason. */
export const clientNotAllowed = (reason: string): RefusalError =>
  new RefusalError(
    400,
    `This service doesn’t allow this app: ${reason}. Ask an administrator of this service about it.`,
  );

export const unreadableAnswer = ({ status, message }: RefusalError): RefusalError =>
  new RefusalError(status, `Your answer couldn’t be read: ${message}. ${START_AGAIN}`);

/** For the log. */
export const schemeNotAllowed = (redirectUri: string): string =>
  `PRIVATE_USE_REDIRECT_SCHEMES does not list ${redirectUri.split(':', 1)[0]?.slice(0, 64)}`;
