import { createSecretKey, randomBytes } from 'node:crypto';
import { openState, type RoundOwner, sealState } from '../question.js';

const KEY = createSecretKey(randomBytes(32));
const OWNER: RoundOwner = {
  grantId: 'grant',
  method: 'tools/call',
  name: 'greet',
  input: { to: 'Ann', times: 2 },
};
const STATE = { step: 1, names: ['Ann'] };
const REFUSAL = expect.objectContaining({ code: -32_602 });

describe('state between two rounds of a call', () => {
  afterEach(() => jest.restoreAllMocks());

  const later = (ms: number) => {
    const now = Date.now() + ms;
    jest.spyOn(Date, 'now').mockReturnValue(now);
  };

  it('comes back as it was, for 10 minutes, any number of times', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    expect(openState(KEY, sealed, OWNER)).toEqual(STATE);
    later(599_000);
    expect(openState(KEY, sealed, OWNER)).toEqual(STATE);
  });

  it('is nothing after 10 minutes', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    later(600_000);
    expect(() => openState(KEY, sealed, OWNER)).toThrow(REFUSAL);
  });

  it('is for the same arguments in whatever order', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    const input = { times: 2, to: 'Ann' };
    expect(openState(KEY, sealed, { ...OWNER, input })).toEqual(STATE);
  });

  it.each<[string, Partial<RoundOwner>]>([
    ['another grant', { grantId: 'other' }],
    ['another tool', { name: 'shout' }],
    ['a prompt of that name', { method: 'prompts/get' }],
    ['other arguments', { input: { to: 'Bob', times: 2 } }],
    ['more arguments', { input: { to: 'Ann', times: 2, more: null } }],
    ['a number in the place of a text', { input: { to: 'Ann', times: '2' } }],
    ['names that run into each other', { grantId: 'grant","tools/call', name: '' }],
  ])('is nothing for %s', (_what, other) => {
    const sealed = sealState(KEY, STATE, OWNER);
    expect(() => openState(KEY, sealed, { ...OWNER, ...other })).toThrow(REFUSAL);
  });

  it('is nothing with another key', () => {
    const sealed = sealState(createSecretKey(randomBytes(32)), STATE, OWNER);
    expect(() => openState(KEY, sealed, OWNER)).toThrow(REFUSAL);
  });

  it('is nothing with any byte changed', () => {
    const sealed = sealState(KEY, STATE, OWNER);
    const [body = '', mac = ''] = sealed.split('.');
    const forged = Buffer.from(JSON.stringify({ state: 'mine', until: 9e15 })).toString(
      'base64url',
    );
    const wrong = [
      '',
      '.',
      body,
      `${body}.`,
      `.${mac}`,
      `${forged}.${mac}`,
      `${sealed}-TAMPERED`,
      `${sealed}.${mac}`,
      sealed.toUpperCase(),
      `${body}.${'A'.repeat(43)}`,
      'x'.repeat(100_000),
    ];
    for (const one of wrong) expect(() => openState(KEY, one, OWNER)).toThrow(REFUSAL);
    for (let at = 0; at < body.length; at += 1) {
      const letter = body[at] === 'A' ? 'B' : 'A';
      const changed = `${body.slice(0, at)}${letter}${body.slice(at + 1)}.${mac}`;
      expect(() => openState(KEY, changed, OWNER)).toThrow(REFUSAL);
    }
  });

  it('has at most 16 KiB', () => {
    expect(() => sealState(KEY, 'x'.repeat(16_000), OWNER)).not.toThrow();
    expect(() => sealState(KEY, 'x'.repeat(16_384), OWNER)).toThrow('16 KiB');
  });
});
