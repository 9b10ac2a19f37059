import type { apps as english } from '../en/apps.js';

export const apps: typeof english = {
  heading: 'Verbundene Apps',
  about:
    'Apps, denen Sie erlaubt haben, Ihr Konto zu verwenden. Um eine App zu verbinden, geben Sie ihr diese Adresse: {address}',
  none: 'Keine App ist verbunden.',
  disconnect: 'Trennen',
  may: 'Sie darf',
  script: {
    published: 'Veröffentlicht von {host}',
    unverified: 'Name nicht geprüft, führt zurück zu {host}',
    unverifiedApp: 'Name nicht geprüft, öffnet eine App auf dem Gerät',
    connected: '{when} verbunden',
    used: 'zuletzt {when} verwendet',
    unused: 'noch nicht verwendet',
    moment: 'am {moment}',
    disconnectOne: '{name} trennen, {when} verbunden',
    askTitle: '{name} trennen?',
    askText:
      'Die App kann dann in Ihrem Konto nichts mehr tun. Sie können sie von der App aus wieder verbinden.',
    askAct: 'Trennen',
    done: 'Getrennt.',
  },
};
