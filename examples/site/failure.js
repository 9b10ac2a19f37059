import { Refusal } from './service.js';

/** By the name of the error that `navigator.credentials` rejects with. */
const CEREMONY_FAILURES = {
  NotAllowedError: 'Cancelled or timed out. Nothing has changed; you can try again.',
  SecurityError: 'Passkeys do not work at this address.',
  ConstraintError: 'This device cannot keep the passkey: it may have no PIN or screen lock yet.',
  NotSupportedError: 'This device does not make this kind of passkey. Use another one.',
};

/** A sentence for people about anything that was thrown. */
export function explain(error) {
  if (error instanceof Refusal) return `That did not work: ${inWordsOf(error)}.`;
  return CEREMONY_FAILURES[error.name] ?? 'Something went wrong. Please try again.';
}

/** What the service calls a field has another name here. */
const inWordsOf = ({ message }) => message.replace(/^displayName /, '“Your name” ');
