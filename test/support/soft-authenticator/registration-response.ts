import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { encodeAttestationObject } from './attestation-object.js';
import { encodeAttestedCredential } from './attested-credential.js';
import { encodeAuthenticatorData } from './authenticator-data.js';
import { encodeBase64Url } from './base64url.js';
import { encodeClientData } from './client-data.js';
import { credentialJson } from './credential-json.js';
import type { Device } from './device.js';
import type { CreateOverrides } from './overrides.js';
import type { Passkey } from './passkey.js';

/** The JSON a browser's `PublicKeyCredential.toJSON()` gives after a registration. */
export function registrationResponse(
  { challenge, extensions }: PublicKeyCredentialCreationOptionsJSON,
  origin: string,
  passkey: Passkey,
  device: Device,
  overrides: CreateOverrides,
): RegistrationResponseJSON {
  const clientData = encodeClientData({ type: 'webauthn.create', challenge, origin }, overrides);
  const attested = encodeAttestedCredential(passkey, device.aaguid, overrides);
  const authData = encodeAuthenticatorData(
    { ...device, rpId: passkey.rpId, counter: passkey.counter, attested },
    overrides,
  );
  const response = {
    clientDataJSON: encodeBase64Url(clientData),
    attestationObject: encodeBase64Url(
      encodeAttestationObject(passkey, authData, clientData, overrides),
    ),
    authenticatorData: encodeBase64Url(authData),
    transports: overrides.transports === undefined ? [...device.transports] : overrides.transports,
    publicKey: encodeBase64Url(passkey.keyPair.spki()),
    publicKeyAlgorithm: overrides.alg ?? passkey.keyPair.algorithm,
  };
  const clientExtensionResults = extensions?.credProps ? { credProps: { rk: true } } : {};
  return credentialJson({ response, clientExtensionResults }, passkey, device, overrides);
}
