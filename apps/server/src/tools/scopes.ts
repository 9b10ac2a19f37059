import type { Scope } from '#libs/oauth';

/** Everything an app can be allowed to do, in the order people see it on the consent page. */
export const scopes: readonly Scope[] = [
  {
    name: 'account:read',
    description: 'see your name and daily budget',
    texts: {
      de: 'Ihren Namen und Ihr Tagesbudget sehen',
      he: 'לראות את השם ואת התקציב היומי שלך',
    },
  },
  {
    name: 'tabs:read',
    description: 'see your open pages: title and address',
    texts: {
      de: 'Ihre offenen Seiten sehen: Titel und Adresse',
      he: 'לראות את הדפים הפתוחים שלך: כותרת וכתובת',
    },
  },
  {
    name: 'tabs:write',
    description: 'use the tools of your open pages and send them messages',
    texts: {
      de: 'die Werkzeuge Ihrer offenen Seiten benutzen und ihnen Nachrichten senden',
      he: 'להשתמש בכלים של הדפים הפתוחים שלך ולשלוח אליהם הודעות',
    },
  },
  {
    name: 'code:run',
    description: 'run code for you, within your daily budget',
    texts: {
      de: 'im Rahmen Ihres Tagesbudgets Code für Sie ausführen',
      he: 'להריץ עבורך קוד, במסגרת התקציב היומי שלך',
    },
  },
];
