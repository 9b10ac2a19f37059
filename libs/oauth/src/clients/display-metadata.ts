import type { JsonObject } from '#libs/platform';
import { httpsUrl, optionalString } from './metadata-fields.js';

/** What a client tells users about itself. */
export interface DisplayMetadata {
  readonly application_type?: 'native' | 'web';
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly policy_uri?: string;
  readonly tos_uri?: string;
}

const MAX_NAME_LENGTH = 200;
const URLS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** The valid display members; invalid ones are left out, but a name that is no string is an error. */
export function displayMetadata(metadata: JsonObject): DisplayMetadata {
  const name = clientName(optionalString(metadata, 'client_name') ?? '');
  const urls = URLS.map((member) => [member, httpsUrl(metadata[member])] as const);
  const type = metadata['application_type'];
  return {
    ...(type === 'native' || type === 'web' ? { application_type: type } : {}),
    ...(name === '' ? {} : { client_name: name }),
    ...Object.fromEntries(urls.filter(([, url]) => url !== undefined)),
  };
}

/** Removes invisible characters and those that reorder the surrounding text (controls, formats). */
const clientName = (name: string) => {
  const seen = name
    .slice(0, MAX_NAME_LENGTH * 10)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '');
  const [...characters] = seen.normalize('NFC').trim();
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
};
