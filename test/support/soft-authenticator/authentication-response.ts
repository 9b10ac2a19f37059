import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { assertionSignature } from './assertion-signature.js';
import { encodeAuthenticatorData } from './authenticator-data.js';
import { encodeBase64Url } from './base64url.js';
import { encodeClientData } from './client-data.js';
import { credentialJson } from './credential-json.js';
import type { Device } from './device.js';
import type { GetOverrides } from './overrides.js';
import type { Passkey } from './passkey.js';

/** The JSON a browser's `PublicKeyCredential.toJSON()` gives after an authentication. */
export function authenticationResponse(
  { challenge }: PublicKeyCredentialRequestOptionsJSON,
  origin: string,
  passkey: Passkey,
  device: Device,
  overrides: GetOverrides,
): AuthenticationResponseJSON {
  const { userHandle = passkey.userHandle } = overrides;
  const clientData = encodeClientData({ type: 'webauthn.get', challenge, origin }, overrides);
  const authData = encodeAuthenticatorData(
    { ...device, rpId: passkey.rpId, counter: passkey.counter },
    overrides,
  );
  const signature = assertionSignature(passkey.keyPair, authData, clientData, overrides);
  const response = {
    clientDataJSON: encodeBase64Url(clientData),
    authenticatorData: encodeBase64Url(authData),
    signature: encodeBase64Url(signature),
    ...(userHandle !== false && { userHandle }),
  };
  return credentialJson({ response, clientExtensionResults: {} }, passkey, device, overrides);
}
