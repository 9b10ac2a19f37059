import { RefusalError } from '#libs/accounts';

interface Refusal {
  readonly status: 400 | 401 | 403;
  /** What happened, as a whole sentence; of several causes that look alike from here it names each. */
  readonly happened: string;
  /** What the person can do now. */
  readonly next: string;
}

const START_AGAIN = 'Start again from the app.';

/**
 * Everything that the authorization endpoint refuses in plain text, for the person in front of it. One
 * cause, one entry; nothing of the request is repeated.
 */
export const AUTHORIZE_REFUSALS = {
  ambiguous: {
    status: 400,
    happened:
      'The app’s request names itself or its way back more than once: client_id and redirect_uri must be given once.',
    next: 'Start again from the app. If this comes up again, tell its makers.',
  },
  unknownClient: {
    status: 400,
    happened:
      'Unknown OAuth client: no app is registered here by the id that this one gave; one that nobody connected for 30 days is forgotten.',
    next: 'Have the app forget this service (sign out of it there, or clear what the app stored about it) and connect anew, so that it registers again.',
  },
  blocked: {
    status: 400,
    happened: 'This service does not let the app in.',
    next: 'Ask whoever runs this service about it.',
  },
  schemeNotAllowed: {
    status: 400,
    happened:
      'The app wants to be opened by a scheme of its own, which this service does not allow.',
    next: 'Have whoever runs the service add it to PRIVATE_USE_REDIRECT_SCHEMES, then start again from the app.',
  },
  /** One text for every cause, so that nobody learns from it what can be reached from here. */
  unverified: {
    status: 400,
    happened:
      'The app could not be verified: what it publishes about itself could not be fetched, or is not valid.',
    next: 'Try again in a minute. If this comes up again, tell the app’s makers.',
  },
  foreignAnswer: {
    status: 403,
    happened:
      'This answer comes from another site, or from this page at another address, so it does not count.',
    next: START_AGAIN,
  },
  scriptedAnswer: {
    status: 403,
    happened:
      'This answer was not sent by the page itself but by a script or a frame, so it does not count.',
    next: 'Start again from the app, and answer in a tab of its own.',
  },
  sessionOver: {
    status: 401,
    happened:
      'You are not signed in any more, so your answer does not count and nothing was allowed.',
    next: 'Start again from the app; you sign in on the way.',
  },
  noForm: {
    status: 400,
    happened: 'This answer belongs to no form of this service.',
    next: START_AGAIN,
  },
  formGone: {
    status: 400,
    happened:
      'This form no longer counts: it was answered before, perhaps in another tab, or waited for more than 10 minutes, or its app was disconnected meanwhile.',
    next: 'See whether the app is connected already. If not, start again from it.',
  },
  formExpired: {
    status: 400,
    happened: 'This form waited for more than 10 minutes, so your answer does not count.',
    next: START_AGAIN,
  },
  otherSession: {
    status: 400,
    happened:
      'Somebody signed in again after this form was shown, perhaps with another account, so your answer does not count.',
    next: 'Start again from the app, and look which account it shows.',
  },
  answeredMeanwhile: {
    status: 400,
    happened:
      'This form was answered in another tab, or its app disconnected, at the same moment, so this answer does not count.',
    next: 'See whether the app is connected already. If not, start again from it.',
  },
  clientGone: {
    status: 400,
    happened: 'The app’s registration ended while this form was open, so nothing was allowed.',
    next: 'Have the app forget this service and connect anew, so that it registers again.',
  },
  clientChanged: {
    status: 400,
    happened: 'The app changed its way back while this form was open, so nothing was allowed.',
    next: START_AGAIN,
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type AuthorizeRefusal = keyof typeof AUTHORIZE_REFUSALS;

export function authorizeRefusal(cause: AuthorizeRefusal, options?: ErrorOptions): RefusalError {
  const { status, happened, next } = AUTHORIZE_REFUSALS[cause];
  return new RefusalError(status, `${happened} ${next}`, {}, options);
}

/** A request that nobody can be sent back with; `fault` is the library's description of it. */
export const faultyRequest = (fault: string): RefusalError =>
  new RefusalError(
    400,
    `The app’s request cannot be answered: ${fault}. Start again from the app. If this comes up again, tell its makers.`,
  );

/** A client that the policy of this service keeps out, with the policy's own reason. */
export const keptOut = (reason: string): RefusalError =>
  new RefusalError(400, `This service does not let the app in: ${reason}. Ask whoever runs it.`);

/** A body that cannot be read, or that is no form. */
export const unreadableAnswer = ({ status, message }: RefusalError): RefusalError =>
  new RefusalError(status, `Your answer could not be read: ${message}. ${START_AGAIN}`);
