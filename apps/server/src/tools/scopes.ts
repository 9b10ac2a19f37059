import type { Scope } from '#libs/oauth';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';

/** The built-in scopes, in the order in which the consent page lists them. */
export const scopes: readonly Scope[] = [
  {
    name: 'account:read',
    description: 'see your name and daily credits',
    texts: {
      de: 'Ihren Namen und Ihre täglichen Credits sehen',
      he: 'לראות את השם ואת הקרדיטים היומיים שלך',
    },
  },
  {
    name: 'tabs:read',
    description: 'see the titles and addresses of your open pages',
    texts: {
      de: 'Ihre offenen Seiten sehen: Titel und Adresse',
      he: 'לראות את הדפים הפתוחים שלך: כותרת וכתובת',
    },
  },
  {
    name: 'tabs:write',
    description: 'use tools on your open pages and send messages to them',
    texts: {
      de: 'die Werkzeuge Ihrer offenen Seiten benutzen und ihnen Nachrichten senden',
      he: 'להשתמש בכלים של הדפים הפתוחים שלך ולשלוח אליהם הודעות',
    },
  },
  {
    name: 'code:run',
    description: 'run code for you, using your daily credits',
    texts: {
      de: 'Code für Sie ausführen, mit Ihren täglichen Credits',
      he: 'להריץ עבורך קוד, באמצעות הקרדיטים היומיים שלך',
    },
  },
];

/** All scopes, those of the teams' extensions last. */
export const scopesOf = (extensions: readonly Partial<Extension>[]): readonly Scope[] => [
  ...scopes,
  ...extensions.flatMap((extension) => extension.scopes ?? []),
];

/** The scopes that machine clients may have; undefined while there are none. */
export const machineScopes = (
  { machineClients }: Pick<Config, 'machineClients'>,
  extensions: readonly Partial<Extension>[],
): readonly string[] | undefined =>
  machineClients ? scopesOf(extensions).map(({ name }) => name) : undefined;
