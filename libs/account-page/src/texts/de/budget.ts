import type { budget as english } from '../en/budget.js';

export const budget: typeof english = {
  heading: 'Credits heute',
  about: 'Verbundene Apps verbrauchen Credits, wenn sie Code ausführen oder Inhalte prüfen lassen.',
  script: {
    left: '{left} von {limit} Credits übrig',
    renews: 'Neue Credits {when}',
    unknown:
      'Ihre Credits lassen sich gerade nicht anzeigen. Sie sind nicht verloren; sehen Sie in einer Minute noch einmal nach.',
  },
};
