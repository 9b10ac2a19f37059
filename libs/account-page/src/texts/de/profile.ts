import type { profile as english } from '../en/profile.js';

export const profile: typeof english = {
  rename: 'Namen ändern',
  script: {
    title: 'Ihren Namen ändern',
    text: 'Ihre Passkeys und Ihre verbundenen Apps zeigen ihn an. Manche Passkey-Manager behalten den alten.',
    label: 'Ihr Name',
    hint: '1 bis 40 Zeichen.',
    act: 'Speichern',
    fault: 'Ihr Name {fault}.',
    done: 'Ihr Name ist geändert.',
  },
};
