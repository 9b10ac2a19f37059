import { assertionOf, attestationOf } from './passkey-dialog.js';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const fails = () => {
  throw new TypeError('Illegal invocation');
};
const given = (members: object) => members as unknown as PublicKeyCredential;

const ASSERTION = {
  clientDataJSON: bytes(1),
  authenticatorData: bytes(2),
  signature: bytes(255, 254),
  userHandle: bytes(65),
};
const ATTESTATION = { clientDataJSON: bytes(1), attestationObject: bytes(2) };
const CREDENTIAL = { id: 'AQID', rawId: bytes(1, 2, 3), type: 'public-key' };

const READ = { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {} };

describe('an assertion, read member by member', () => {
  const response = {
    clientDataJSON: 'AQ',
    authenticatorData: 'Ag',
    signature: '__4',
    userHandle: 'QQ',
  };

  it.each<[string, object, object?]>([
    ['without any method', {}],
    ['with methods that throw', { toJSON: fails, getClientExtensionResults: fails }],
    ['with a toJSON of its own', { toJSON: () => ({ id: 'other' }) }],
    ['with an id in another spelling', { id: 'AQID====' }],
    ['without an id', { id: undefined }],
    ['without a rawId', { rawId: undefined }],
    ['without a type', { type: undefined }],
    ['in Uint8Arrays', { rawId: new Uint8Array([1, 2, 3]) }],
    ['in a part of a buffer', { rawId: new DataView(bytes(9, 1, 2, 3, 9), 1, 3) }],
    ['in base64url', { rawId: 'AQID' }],
    ['with what an attachment is not', { authenticatorAttachment: null }],
  ])('%s', (_what, members) => {
    const credential = given({ ...CREDENTIAL, response: ASSERTION, ...members });
    expect(assertionOf(credential)).toEqual({ ...READ, response });
  });

  it.each([[undefined], [null], [bytes()], ['']])('without a user handle: %p', (userHandle) => {
    const read = assertionOf(given({ ...CREDENTIAL, response: { ...ASSERTION, userHandle } }));
    expect(read.response).not.toHaveProperty('userHandle');
  });

  it.each(['clientDataJSON', 'authenticatorData', 'signature'])('throws without %s', (member) => {
    const lacking = { ...ASSERTION, [member]: undefined };
    expect(() => assertionOf(given({ ...CREDENTIAL, response: lacking }))).toThrow(
      'lacks a member',
    );
  });

  it('has the results of extensions and the attachment where there are any', () => {
    const more = {
      authenticatorAttachment: 'platform',
      getClientExtensionResults: () => ({ credProps: { rk: true } }),
    };
    expect(assertionOf(given({ ...CREDENTIAL, ...more, response: ASSERTION }))).toEqual({
      ...READ,
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response,
    });
  });
});

describe('a new credential, read member by member', () => {
  const response = { clientDataJSON: 'AQ', attestationObject: 'Ag' };

  it.each<[string, object, object?]>([
    ['no transports', {}],
    ['a method for them that throws', { getTransports: fails }],
    ['transports that are no list', { getTransports: () => 'usb' }],
    ['transports', { getTransports: () => ['usb'] }, { transports: ['usb'] }],
  ])('with %s', (_what, methods, transports = {}) => {
    const credential = given({ ...CREDENTIAL, response: { ...ATTESTATION, ...methods } });
    expect(attestationOf(credential)).toEqual({
      ...READ,
      response: { ...response, ...transports },
    });
  });
});
