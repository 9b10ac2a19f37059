import type { JsonObject } from '#libs/platform';
import { httpsUrl, optionalString } from './metadata-fields.js';

/** What a client says about itself to people. */
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

/** The display members that make sense; the others are left out. A name has to be a string. */
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

/** A name without what people cannot see or what reorders the text around it (controls, formats). */
const clientName = (name: string) => {
  const seen = name
    .slice(0, MAX_NAME_LENGTH * 10)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '');
  const [...characters] = seen.normalize('NFC').trim();
  return characters.slice(0, MAX_NAME_LENGTH).join('').trim();
};
