import { expectIdentity, nameOf } from './external-identity.js';

const IDP = 'https://login.acme.example/tenant';
const ANN = { issuer: IDP, subject: '00u1abcd2345' };

describe('expectIdentity', () => {
  it.each<[string, object]>([
    ['255 characters', { subject: 'x'.repeat(255) }],
    ['a subject of another script', { subject: 'Анна ' }],
    ['an issuer that is no URL', { issuer: 'urn:acme:idp' }],
  ])('takes %s as it is', (_what, fields) => {
    expect(expectIdentity({ ...ANN, ...fields })).toEqual({ ...ANN, ...fields });
  });

  it.each<[string, object]>([
    ['an empty subject', { subject: '' }],
    ['a subject of 256 characters', { subject: 'x'.repeat(256) }],
    ['a subject of 10,000 characters', { subject: 'x'.repeat(10_000) }],
    ['a subject that is a number', { subject: 7 }],
    ['no subject', { subject: undefined }],
    ['a lone surrogate, which would be stored as U+FFFD', { subject: 'ann\ud800' }],
    ['a NUL, which Postgres refuses', { subject: 'ann\0' }],
    ['a line break', { issuer: `${IDP}\n` }],
    ['an empty issuer', { issuer: '' }],
    ['an issuer of 256 characters', { issuer: `https://${'a'.repeat(248)}` }],
  ])('refuses %s', (_what, fields) => {
    expect(() => expectIdentity({ ...ANN, ...fields })).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringMatching(/; contact an admin/),
      }),
    );
  });
});

describe('nameOf', () => {
  it.each<[string, unknown, string]>([
    ['the name given', 'Ann Smith', 'Ann Smith'],
    ['a name by the rules of display names', '  Ann \n Smith ', 'Ann Smith'],
    ['the first 40 characters', `${'Ann'.repeat(20)}`, 'Ann'.repeat(14).slice(0, 40)],
    ['what fits', 'A\u202enn\0 Smith\ud800', 'Ann Smith'],
    ['the first 40 characters of what fits', `\u200b ${'a'.repeat(41)}`, 'a'.repeat(40)],
    [
      '40 characters after white space is one space',
      `\0a \t ${'b'.repeat(40)}`,
      `a ${'b'.repeat(38)}`,
    ],
    ['issuer and subject without a name', undefined, 'login.acme.example 00u1abcd'],
    ['issuer and subject for an empty one', ' ', 'login.acme.example 00u1abcd'],
    ['issuer and subject for one of invisible characters', '\u200b', 'login.acme.example 00u1abcd'],
    ['issuer and subject for one that is no text', { name: 'Ann' }, 'login.acme.example 00u1abcd'],
  ])('is %s', (_what, given, name) => {
    expect(nameOf(ANN, given)).toBe(name);
  });

  it('reads only the beginning of a long name', () => {
    const beginning = 'a\u0301\u0323'.repeat(200);
    expect(nameOf(ANN, beginning)).toHaveLength(27);
    for (const rest of ['\u0301\u0323'.repeat(500_000), '\ud800', ' Smith']) {
      expect(nameOf(ANN, beginning + rest)).toBe(nameOf(ANN, beginning));
    }
    expect(nameOf(ANN, `${'\u200b'.repeat(400)}Ann`)).toBe('login.acme.example 00u1abcd');
  });

  it('names the issuer as the caller does, or by its text when that is no URL', () => {
    expect(nameOf(ANN, undefined, 'Acme')).toBe('Acme 00u1abcd');
    expect(nameOf({ issuer: 'Acme directory', subject: 'ann' }, '')).toBe('Acme directory ann');
  });

  it('is never empty', () => {
    expect(nameOf({ issuer: '\u200b', subject: '\u200b' }, '')).toBe('Account');
  });
});
