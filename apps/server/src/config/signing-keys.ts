import { parseSigningKeys, type SigningKeysFound } from '#libs/oauth';
import { readShortFile } from './variables.js';

/** The keys in the file of SIGNING_KEYS_FILE, or a line about its fault that repeats neither path nor content. */
export function readSigningKeysFile(path: string): SigningKeysFound {
  const file = readShortFile(path);
  if (file.fault !== undefined) return { fault: `SIGNING_KEYS_FILE ${file.fault}` };
  const found = parseSigningKeys(file.content);
  if (found.fault === undefined) return found;
  return { fault: `SIGNING_KEYS_FILE names a file ${found.fault}` };
}
