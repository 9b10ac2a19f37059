import { Refusal } from '/svc/client.js';
import { t } from './language.js';

/** By the name of the error that `navigator.credentials` rejects with. */
const CEREMONY_FAILURES = {
  NotAllowedError: 'Canceled or timed out. Nothing has changed. You can try again.',
  SecurityError: 'Passkeys don’t work at this address.',
  ConstraintError: 'This device can’t save the passkey. It may not have a PIN or screen lock yet.',
  NotSupportedError: 'This device doesn’t support this type of passkey. Use another one.',
};

/** A sentence for people about anything that was thrown. */
export function explain(error) {
  if (error instanceof Refusal)
    return t('That didn’t work: {reason}.', { reason: inWordsOf(error) });
  return t(CEREMONY_FAILURES[error.name] ?? 'Something went wrong. Please try again.');
}

function inWordsOf({ status, reason }) {
  if (status === 0) return t('couldn’t reach the service; check that it’s running and try again');
  if (reason === '') return t('the service responded with status {status}', { status });
  // What the service calls a field has another name here. Its reasons are English.
  return reason.replace(/^displayName /, t('“Your name” '));
}
