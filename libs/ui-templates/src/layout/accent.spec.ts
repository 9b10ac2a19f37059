import { accentStyle, isAccent } from './accent.js';

describe('an accent', () => {
  it.each(['#1c5d86', '#767676', '#8A1538', '#000000', '#0000ff'])('is %s', (color) => {
    expect(isAccent(color)).toBe(true);
  });

  it.each(['#777777', '#ffffff', '#ff0000', '#18f', '1c5d86', '#1c5d8', '#1c5d866', '#1c5d8g', ''])(
    'is not "%s"',
    (color) => expect(isAccent(color)).toBe(false),
  );

  it('stays as it is where it can be read, and is lighter in the dark', () => {
    expect(accentStyle('#8a1538').match(/--accent: (#\w+)/g)).toEqual([
      '--accent: #8a1538',
      expect.stringMatching(/--accent: #[c-f]/),
    ]);
  });

  it('is a little darker where it can just be read on white', () => {
    expect(accentStyle('#767676')).toMatch(/--accent: #6[a-f0-9]6/);
  });

  it('has white on it, and something dark on its light shade', () => {
    expect(accentStyle('#000000').match(/--on-accent: #\w+/g)).toEqual([
      '--on-accent: #ffffff',
      '--on-accent: #12161a',
    ]);
  });
});
