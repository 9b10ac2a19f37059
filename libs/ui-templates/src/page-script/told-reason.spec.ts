import { displayNameFault } from '#libs/accounts';
import { builtInPageLanguages } from '../texts/page-languages.js';
import { toldReason } from './told-reason.js';

const { script: english } = builtInPageLanguages.choose(['en']).texts;
const { script: german } = builtInPageLanguages.choose(['de']).texts;

describe('what the service says, in the words of the page', () => {
  it.each([
    ['', 'ist leer; nötig sind 1 bis 40 Zeichen'],
    ['x'.repeat(41), 'ist zu lang; möglich sind 1 bis 40 Zeichen'],
    ['Ann\u200b', /^enthält an Stelle 4 ein unsichtbares Zeichen \(U\+200B\); löschen/],
    ['\u{e0001}', /^enthält an Stelle 1 ein unsichtbares Zeichen \(U\+E0001\); löschen/],
    ['\u0007', /^enthält an Stelle 1 ein Steuerzeichen \(U\+0007\); löschen/],
    ['\ud800', /^enthält an Stelle 1 ein halbes Zeichen \(U\+D800\); löschen/],
  ])('of the name %j', (name, told) => {
    expect(toldReason(displayNameFault(name), german)).toMatch(told);
    expect(toldReason(displayNameFault(name), english)).toBe(displayNameFault(name));
  });

  it.each(['names with Acme in them are for Acme itself', '__proto__', 'constructor', 'toString'])(
    'stays as it is where the page has no words for it: %s',
    (reason) => {
      expect(toldReason(reason, german)).toBe(reason);
    },
  );
});
