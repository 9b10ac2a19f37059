import { isLoopbackHostname } from '#libs/accounts';
import type { Config } from '../../config/config.js';
import { type Finding, ok, warn } from '../finding.js';

type Settings = Pick<
  Config,
  | 'addPasskeyMaxAgeMs'
  | 'clientDocuments'
  | 'budgetDailyLimit'
  | 'publicOrigins'
  | 'rateLimit'
  | 'registration'
  | 'screeningWebhookUrl'
  | 'signUp'
>;

/** One sign-in and one connection of an app take eight counted requests. */
const FEWEST_REQUESTS = 8;

const SIGN_UPS = {
  open: 'anybody may create an account',
  invite: 'SIGN_UP is invite: a new account takes an invitation code',
  closed: 'SIGN_UP is closed: nobody gets a new account',
};

/** Settings that are allowed, and that are seldom wanted outside of a test. */
export function* policyFindings(settings: Settings): Iterable<Finding> {
  const { clientDocuments, budgetDailyLimit, rateLimit, screeningWebhookUrl } = settings;
  if (clientDocuments.privateHosts.length > 0) {
    yield warn(
      'CIMD_PRIVATE_HOSTS is set: strangers can have the listed hosts asked from inside your network',
      'leave it unset in production',
    );
  }
  if (budgetDailyLimit === 0) {
    yield warn(
      'BUDGET_DAILY_LIMIT is 0: every tool call that costs credits is refused',
      'set it to the credits an account may spend in a day, or leave it unset for 1000',
    );
  }
  if (rateLimit.max < FEWEST_REQUESTS) {
    yield warn(
      `RATE_LIMIT_MAX is ${rateLimit.max}: signing in and connecting an app takes ${FEWEST_REQUESTS} requests`,
      'allow more, or leave it unset for 300',
    );
  }
  if (settings.publicOrigins !== undefined && settings.addPasskeyMaxAgeMs === undefined) {
    yield warn(
      'ADD_PASSKEY_MAX_AGE is unset: a thief of a session, however old it is, can add a passkey and stay',
      'set ADD_PASSKEY_MAX_AGE=10: people then sign in again before they add one',
    );
  }
  if (screeningWebhookUrl !== undefined && isReadOnTheWay(new URL(screeningWebhookUrl))) {
    yield warn(
      'SCREENING_WEBHOOK_URL is plain http: what users send can be read on its way',
      'use https, or a webhook on this machine',
    );
  }
  yield ok(`${budgetDailyLimit} credits a day for each account`);
  yield ok(`${rateLimit.max} requests in ${rateLimit.periodMs / 1000} s for each visitor`);
  yield ok(SIGN_UPS[settings.signUp]);
  yield ok(
    settings.registration
      ? 'apps may register themselves'
      : 'REGISTRATION is off: new apps connect by a metadata document only',
  );
}

const isReadOnTheWay = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && !isLoopbackHostname(hostname);
