import { type Brand, BrandError, inlineSvg } from '#libs/ui-templates';
import type { Environment } from './environment.js';
import { linkParts } from './variable-rules.js';
import { readShortFile } from './variables.js';

const MAX_LOGO_BYTES = 16_384;

/** The brand of the variables, which are checked with the environment, and a line for each unusable file. */
export function serviceBrand({
  SERVICE_LOGO_FILE: logoFile,
  SERVICE_ACCENT: accent,
  SERVICE_LINKS: links,
  SERVICE_WEBSITE: website,
}: Environment): { readonly brand: Brand; readonly problems: readonly string[] } {
  const { logo, problems = [] } = logoFile === undefined ? {} : readLogo(logoFile);
  const brand: Brand = {
    ...(logo === undefined ? {} : { logo }),
    ...(accent === undefined ? {} : { accent }),
    ...(links === undefined
      ? {}
      : {
          links: links
            .map(toLink)
            .map(({ text, texts, path }) => ({ label: text, texts, href: path })),
        }),
    ...(website === undefined ? {} : { website }),
  };
  return { brand, problems };
}

function readLogo(path: string): { readonly logo?: string; readonly problems?: readonly string[] } {
  const found = readShortFile(path, MAX_LOGO_BYTES);
  if (found.fault !== undefined) return { problems: [`SERVICE_LOGO_FILE ${found.fault}`] };
  try {
    inlineSvg(found.content);
    return { logo: found.content };
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    return { problems: [`SERVICE_LOGO_FILE names a file that ${error.message}`] };
  }
}

export function toLink(entry: string) {
  const { text, translations, path } = linkParts(entry);
  return { text, texts: Object.fromEntries(translations), path };
}
