import { readClientData } from './ceremony.js';

const CHALLENGE = 'c'.repeat(43);

const encode = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url');
const bodyWith = (clientDataJSON: unknown) => ({ response: { clientDataJSON } });
/** Client data with a base64url form of exactly that length. */
const sized = (characters: number) => {
  const bytes = Math.floor((characters * 3) / 4);
  const frame = JSON.stringify({ challenge: CHALLENGE, pad: '' }).length;
  return encode({ challenge: CHALLENGE, pad: 'p'.repeat(bytes - frame) });
};

describe('challenge extraction', () => {
  it('reads the challenge', () => {
    const body = bodyWith(encode({ type: 'webauthn.get', challenge: CHALLENGE, origin: 'x' }));
    expect(readClientData(body)).toEqual({ challenge: CHALLENGE, framed: false, origin: 'x' });
  });

  it('takes 4096 characters', () => {
    expect(sized(4096)).toHaveLength(4096);
    expect(readClientData(bodyWith(sized(4096)))?.challenge).toBe(CHALLENGE);
  });

  it.each([
    ['crossOrigin true', { crossOrigin: true }, true],
    ['crossOrigin that is not a boolean', { crossOrigin: 'no' }, true],
    ['a topOrigin', { topOrigin: 'https://evil.example' }, true],
    ['a topOrigin that is null', { topOrigin: null }, true],
    ['crossOrigin false', { crossOrigin: false }, false],
  ])('sees a frame by %s', (_sign, members, framed) => {
    const body = bodyWith(encode({ challenge: CHALLENGE, ...members }));
    expect(readClientData(body)).toEqual({ challenge: CHALLENGE, framed });
  });

  it.each([
    ['no response', {}],
    ['a response that is null', { response: null }],
    ['a response that is an array', { response: [] }],
    ['a response that is text', { response: 'x' }],
    ['no client data', { response: {} }],
    ['client data that is a number', bodyWith(7)],
    ['client data that is an object', bodyWith({ challenge: CHALLENGE })],
    ['empty client data', bodyWith('')],
    ['more than 4096 characters', bodyWith(sized(4098))],
    ['standard base64', bodyWith(`${encode({ challenge: CHALLENGE })}+/`)],
    ['padding', bodyWith(`${encode({ challenge: CHALLENGE })}=`)],
    ['white space', bodyWith(`${encode({ challenge: CHALLENGE })}\n`)],
    ['no JSON', bodyWith(Buffer.from('{').toString('base64url'))],
    ['JSON null', bodyWith(encode(null))],
    ['a JSON array', bodyWith(encode([CHALLENGE]))],
    ['no challenge', bodyWith(encode({}))],
    ['a challenge of 42 characters', bodyWith(encode({ challenge: 'c'.repeat(42) }))],
    ['a challenge of 44 characters', bodyWith(encode({ challenge: 'c'.repeat(44) }))],
    ['a challenge with other characters', bodyWith(encode({ challenge: '+'.repeat(43) }))],
    ['a challenge with a line break', bodyWith(encode({ challenge: `${CHALLENGE}\n` }))],
    ['a challenge that is no string', bodyWith(encode({ challenge: [CHALLENGE] }))],
    [
      'a byte order mark',
      bodyWith(Buffer.from(`\ufeff{"challenge":"${CHALLENGE}"}`).toString('base64url')),
    ],
  ])('refuses %s', (_what, body) => {
    expect(readClientData(body)).toBeUndefined();
  });
});
