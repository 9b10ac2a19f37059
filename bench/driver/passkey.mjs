// A passkey without a browser: ES256, no attestation, and a counter that stays zero, as synced passkeys have it.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT_AND_VERIFIED = 0x05;
const ATTESTED = 0x40;
const AAGUID = Buffer.alloc(16);
const encode = (bytes) => Buffer.from(bytes).toString('base64url');
const sha256 = (data) => createHash('sha256').update(data).digest();

export class Passkey {
  #id = randomBytes(16);
  #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #origin;
  #userHandle;

  constructor(origin) {
    this.#origin = origin;
  }

  /** The answer to creation options, as `PublicKeyCredential.toJSON()` gives it. */
  created({ challenge, user }) {
    this.#userHandle = user.id;
    const length = Buffer.from([0, this.#id.length]);
    const attested = Buffer.concat([AAGUID, length, this.#id, this.coseKey()]);
    const data = this.#authenticatorData(USER_PRESENT_AND_VERIFIED | ATTESTED, attested);
    return this.#response({
      clientDataJSON: encode(this.#clientData('webauthn.create', challenge)),
      attestationObject: encode(attestationObject(data)),
      transports: ['internal'],
    });
  }

  /** The answer to request options. */
  asserted({ challenge }) {
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#authenticatorData(USER_PRESENT_AND_VERIFIED);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return this.#response({
      clientDataJSON: encode(clientData),
      authenticatorData: encode(data),
      signature: encode(sign('sha256', signed, this.#key.privateKey)),
      userHandle: this.#userHandle,
    });
  }

  /** The public key as CBOR of an ES256 COSE key (RFC 9053 §7.1). */
  coseKey() {
    const { x, y } = this.#key.publicKey.export({ format: 'jwk' });
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
    const coordinate = (label, value) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
    return Buffer.concat([head, coordinate(0x21, x), coordinate(0x22, y)]);
  }

  #clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));

  #authenticatorData = (flags, attested = Buffer.alloc(0)) =>
    Buffer.concat([
      sha256(new URL(this.#origin).hostname),
      Buffer.from([flags, 0, 0, 0, 0]),
      attested,
    ]);

  #response(response) {
    const id = encode(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** CBOR of `{ fmt: 'none', attStmt: {}, authData }` (WebAuthn L3 §6.5). */
function attestationObject(authData) {
  const text = (value) => [0x60 + value.length, ...Buffer.from(value)];
  const head = [0xa3, ...text('fmt'), ...text('none'), ...text('attStmt'), 0xa0];
  return Buffer.from([...head, ...text('authData'), 0x58, authData.length, ...authData]);
}
