/*
 * The service speaks JSON, `navigator.credentials` speaks ArrayBuffers. Browsers since 2024 translate by
 * themselves; the rest of this file is for older ones, and can go once you no longer meet any.
 */

export function toCreationOptions(json) {
  if (globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  }
  return {
    ...json,
    challenge: toBytes(json.challenge),
    user: { ...json.user, id: toBytes(json.user.id) },
    excludeCredentials: json.excludeCredentials.map(withBytes),
  };
}

export function toRequestOptions(json) {
  if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  }
  return {
    ...json,
    challenge: toBytes(json.challenge),
    allowCredentials: (json.allowCredentials ?? []).map(withBytes),
  };
}

const BINARY = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
];

/** The answer of either ceremony, as the service takes it. */
export function toJson(credential) {
  if (typeof credential.toJSON === 'function') return credential.toJSON();
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  const members = BINARY.filter((name) => response[name]);
  return {
    id,
    rawId: toBase64url(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(members.map((name) => [name, toBase64url(response[name])])),
      transports: response.getTransports?.(),
    },
  };
}

const withBytes = (credential) => ({ ...credential, id: toBytes(credential.id) });

function toBytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function toBase64url(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
