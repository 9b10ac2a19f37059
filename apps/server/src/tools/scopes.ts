import type { Scope } from '#libs/oauth';

/** All scopes, in the order in which the consent page lists them. */
export const scopes: readonly Scope[] = [
  {
    name: 'account:read',
    description: 'see your name and daily credits',
    baseline: true,
    texts: {
      de: 'Ihren Namen und Ihre täglichen Credits sehen',
      he: 'לראות את השם ואת הקרדיטים היומיים שלך',
    },
  },
  {
    name: 'tabs:read',
    description: 'see the titles and addresses of your open pages',
    baseline: true,
    texts: {
      de: 'Ihre offenen Seiten sehen: Titel und Adresse',
      he: 'לראות את הדפים הפתוחים שלך: כותרת וכתובת',
    },
  },
  {
    name: 'tabs:write',
    description: 'use tools on your open pages and send messages to them',
    writes: true,
    texts: {
      de: 'die Werkzeuge Ihrer offenen Seiten benutzen und ihnen Nachrichten senden',
      he: 'להשתמש בכלים של הדפים הפתוחים שלך ולשלוח אליהם הודעות',
    },
  },
  {
    name: 'code:run',
    description: 'run code for you, using your daily credits',
    writes: true,
    texts: {
      de: 'Code für Sie ausführen, mit Ihren täglichen Credits',
      he: 'להריץ עבורך קוד, באמצעות הקרדיטים היומיים שלך',
    },
  },
];
