import { ACCEPTED_ALGORITHMS, acceptedTransports, isCredentialId } from './credential.js';

describe('transports', () => {
  it.each([
    [
      ['usb', 'nfc'],
      ['usb', 'nfc'],
    ],
    [
      ['smart-card', 'a'.repeat(32)],
      ['smart-card', 'a'.repeat(32)],
    ],
    [['USB', '', 'a'.repeat(33), 'us b', 'usb\n', 7, null, ['usb']], []],
    [[...'abcdefghij'], [...'abcdefgh']],
    [[7, ...'abcdefghij'], [...'abcdefgh']],
    ['usb', []],
    [undefined, []],
    [{ 0: 'usb', length: 1 }, []],
  ])('of %j are %j', (reported, kept) => {
    expect(acceptedTransports(reported)).toEqual(kept);
  });
});

describe('a credential id', () => {
  it.each([16, 1366])('may have %d characters', (length) => {
    expect(isCredentialId('aZ09_-'.repeat(300).slice(0, length))).toBe(true);
  });

  it.each([
    ['too few characters', 'a'.repeat(15)],
    ['too many characters', 'a'.repeat(1367)],
    ['standard base64', `${'a'.repeat(16)}+/`],
    ['padding', `${'a'.repeat(16)}==`],
    ['a line break at its end', `${'a'.repeat(16)}\n`],
    ['a space before it', ` ${'a'.repeat(16)}`],
    ['a list around it', ['a'.repeat(16)]],
    ['no value', undefined],
  ])('is not one with %s', (_what, value) => {
    expect(isCredentialId(value)).toBe(false);
  });
});

it('the algorithms of passkeys are EdDSA, ES256 and RS256', () => {
  expect(ACCEPTED_ALGORITHMS).toEqual([-8, -7, -257]);
});
