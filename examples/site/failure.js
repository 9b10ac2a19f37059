import { Refusal } from '/svc/client.js';
import { t } from './language.js';

/** By the name of the error that `navigator.credentials` rejects with. */
const CEREMONY_FAILURES = {
  NotAllowedError: 'Cancelled or timed out. Nothing has changed; you can try again.',
  SecurityError: 'Passkeys do not work at this address.',
  ConstraintError: 'This device cannot keep the passkey: it may have no PIN or screen lock yet.',
  NotSupportedError: 'This device does not make this kind of passkey. Use another one.',
};

/** A sentence for people about anything that was thrown. */
export function explain(error) {
  if (error instanceof Refusal)
    return t('That did not work: {reason}.', { reason: inWordsOf(error) });
  return t(CEREMONY_FAILURES[error.name] ?? 'Something went wrong. Please try again.');
}

function inWordsOf({ status, reason }) {
  if (status === 0) return t('the service cannot be reached; check that it runs and try again');
  if (reason === '') return t('the service answered {status}', { status });
  // What the service calls a field has another name here. Its reasons are English.
  return reason.replace(/^displayName /, t('“Your name” '));
}
