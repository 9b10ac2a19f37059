import { builtInPageLanguages } from '../texts/page-languages.js';
import { toldReason } from './told-reason.js';

const { script: english } = builtInPageLanguages.choose(['en']).texts;
const { script: german } = builtInPageLanguages.choose(['de']).texts;

describe('what the service says, in the words of the page', () => {
  // test/docs/told-reasons.spec.ts has the sentences of the service.
  it.each([
    ['is empty; enter 1 to 40 characters', 'ist leer; nötig sind 1 bis 40 Zeichen'],
    [
      'has an invisible character, U+200B (zero width space), at position 4; delete it, or type the name again',
      /^enthält an Stelle 4 ein unsichtbares Zeichen \(U\+200B\); löschen/,
    ],
    [
      'has an invisible character, U+E0001, at position 1; delete it, or type the name again',
      /^enthält an Stelle 1 ein unsichtbares Zeichen \(U\+E0001\); löschen/,
    ],
    [
      'has a control character, U+0007, at position 1; delete it, or type the name again',
      /^enthält an Stelle 1 ein Steuerzeichen \(U\+0007\); löschen/,
    ],
  ])('translates %j', (reason, told) => {
    expect(toldReason(reason, german)).toMatch(told);
    expect(toldReason(reason, english)).toBe(reason);
  });

  it.each(['names with Acme in them are for Acme itself', '__proto__', 'constructor', 'toString'])(
    'stays as it is where the page has no words for it: %s',
    (reason) => {
      expect(toldReason(reason, german)).toBe(reason);
    },
  );
});
