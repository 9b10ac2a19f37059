import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { OwnOrigin, User } from '#libs/accounts';
import { CHALLENGE_LIFETIME_MS } from '../challenges/challenge.js';
import type { Credential } from '../credentials/credential.js';
import { ACCEPTED_ALGORITHMS } from './algorithms.js';

/** Credential-creation options (contract, Rules for `register/options`), with a fresh challenge. */
export const registrationOptions = (
  relyingPartyName: string,
  party: OwnOrigin,
  user: User,
  existing: readonly Pick<Credential, 'id' | 'transports'>[],
) =>
  generateRegistrationOptions({
    rpName: relyingPartyName,
    rpID: party.hostname,
    userName: user.displayName,
    userDisplayName: user.displayName,
    userID: new TextEncoder().encode(user.id),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ACCEPTED_ALGORITHMS,
  });
