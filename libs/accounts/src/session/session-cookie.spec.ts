import { clearedSessionCookie, readSessionCookie, sessionCookie } from './session-cookie.js';

const TOKEN = 'A'.repeat(43);
const OTHER = 'B'.repeat(43);

describe('session cookie', () => {
  it('is __Host- and Secure on https', () => {
    expect(sessionCookie(TOKEN, true, 60)).toBe(
      `__Host-session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  it('is plain on loopback http', () => {
    expect(sessionCookie(TOKEN, false, 60)).toBe(
      `session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });

  it('is cleared with the attributes it was set with', () => {
    expect(clearedSessionCookie(true)).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it.each([
    ['alone', `session=${TOKEN}`],
    ['among others', `a=1; session=${TOKEN}; b=session=2`],
    ['beside names that end alike', `xsession=${OTHER}; session=${TOKEN}; session2=${OTHER}`],
    ['without the space after the semicolon', `a=1;session=${TOKEN}`],
  ])('is read %s', (_where, header) => {
    expect(readSessionCookie(header, false)).toBe(TOKEN);
  });

  it.each([
    ['no header', undefined],
    ['another cookie', `sid=${TOKEN}`],
    ['two of the name', `session=${TOKEN}; session=${OTHER}`],
    ['two of the name, one empty', `session=${TOKEN}; session=`],
    ['a quoted value', `session="${TOKEN}"`],
    ['4 KB of anything', `session=${'A'.repeat(4096)}`],
    ['another case', `Session=${TOKEN}`],
    ['a name that begins with a no-break space', `\u00a0session=${TOKEN}`],
    ['a name that begins with a line separator', `\u2028session=${TOKEN}`],
  ])('is not read from %s', (_what, header) => {
    expect(readSessionCookie(header, false)).toBeUndefined();
  });

  it('on https only the __Host- name is read', () => {
    expect(readSessionCookie(`session=${TOKEN}`, true)).toBeUndefined();
    expect(readSessionCookie(`session=${TOKEN}; __Host-session=${OTHER}`, true)).toBe(OTHER);
  });
});
