import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import { ALG } from './algorithm.js';
import type { GetOverrides } from './overrides.js';
import type { CreateRequest, SoftAuthenticator } from './soft-authenticator.js';

export const rpID = 'localhost';
export const origin = 'http://localhost:3000';

const supportedAlgorithmIDs = [ALG.EdDSA, ALG.ES256, ALG.RS256];
const expected = { expectedOrigin: origin, expectedRPID: rpID };

export const creationOptions = () =>
  generateRegistrationOptions({
    rpName: 'Test',
    rpID,
    userName: 'Ann',
    userDisplayName: 'Ann',
    supportedAlgorithmIDs,
  });

export const requestOptions = () => generateAuthenticationOptions({ rpID });

/** One registration, verified by the library alone. */
export async function register(authenticator: SoftAuthenticator, request?: CreateRequest) {
  const options = await creationOptions();
  const response = await authenticator.create(options, origin, request);
  const expectedChallenge = options.challenge;
  return verifyRegistrationResponse({
    ...expected,
    response,
    expectedChallenge,
    supportedAlgorithmIDs,
  });
}

/** What the library returns for storage; throws when the verification failed. */
export async function registered(authenticator: SoftAuthenticator, request?: CreateRequest) {
  const { verified, registrationInfo } = await register(authenticator, request);
  if (!verified) throw new Error('the registration did not verify');
  return registrationInfo;
}

/** One authentication with that credential, verified by the library alone. */
export async function logIn(
  authenticator: SoftAuthenticator,
  credential: WebAuthnCredential,
  overrides?: GetOverrides,
) {
  const options = await requestOptions();
  const request = { credentialId: credential.id, overrides };
  const response = await authenticator.get(options, origin, request);
  const expectedChallenge = options.challenge;
  return verifyAuthenticationResponse({ ...expected, response, expectedChallenge, credential });
}
