import { existsSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import {
  generateSigningKey,
  parseSigningKeys,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  signingKeysText,
  withNewKey,
} from '#libs/oauth';
import { epochSeconds } from '#libs/platform';
import { toIsoTime } from '../operation/values.js';
import { readSigningKeysLocation } from '../../config/config.js';
import { readSigningKeysFile } from '../../config/signing-keys.js';
import { done, type Output, outputText, type Terminal } from './output.js';
import { ArgumentError } from './task.js';

interface RotateOptions {
  readonly alg?: SigningAlgorithm;
  readonly out?: string;
  readonly json?: true;
}

/** `keys …`: works on the file of SIGNING_KEYS_FILE alone, so it needs neither a service nor a database. */
export function keysCommands(
  program: Command,
  { variables, print }: Pick<Terminal, 'variables' | 'print'>,
): void {
  program
    .command('keys')
    .description('keys that sign access tokens')
    .command('rotate')
    .description('add a key, which signs in an hour, and let the older ones retire')
    .addOption(
      new Option('--alg <algorithm>', 'of the new key; by default that of the last one').choices(
        SIGNING_ALGORITHMS,
      ),
    )
    .option('--out <file>', 'write it there, where SIGNING_KEYS_FILE cannot be written')
    .option('--json', 'one JSON document, for scripts')
    .option('--yes', 'do it without asking')
    .action(async (options: RotateOptions) => {
      const output = await rotate(readSigningKeysLocation(variables), options);
      await print(outputText(output, options.json === true));
    });
}

async function rotate(path: string | undefined, { alg, out }: RotateOptions): Promise<Output> {
  if (path === undefined) throw new ArgumentError('set SIGNING_KEYS_FILE to the file of the keys');
  const file = out ?? path;
  const added = await replaceFile(file, async () => {
    const keys = existsSync(path) ? expectKeys(path) : [];
    const fresh = await generateSigningKey(alg ?? keys.at(-1)?.alg ?? 'ES256');
    const all = withNewKey(keys, fresh, epochSeconds(Date.now()));
    const text = signingKeysText(all);
    const { fault } = parseSigningKeys(text);
    if (fault !== undefined) throw new ArgumentError(`this would make a file ${fault}`);
    return { text, key: all.at(-1), keys: all.length };
  });
  const { kid = '', alg: algorithm = '', signsFrom = 0 } = added.key ?? {};
  const from = toIsoTime(signsFrom * 1000);
  return done(
    { kid, alg: algorithm, signsFrom: from, keys: added.keys, file },
    `New key ${kid} (${algorithm}) in ${file}: it signs from ${from}.`,
  );
}

function expectKeys(path: string) {
  const { keys, fault } = readSigningKeysFile(path);
  if (fault !== undefined) throw new ArgumentError(fault);
  return keys;
}

/**
 * Replaces a file whole or not at all, readable by the user alone (run by root, by the owner of the old file); another
 * process that does so is refused. @throws ArgumentError
 */
async function replaceFile<Made extends { readonly text: string }>(
  path: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const place = await realpath(path).catch(() => path);
  const next = `${place}.next`;
  const written = await open(next, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new ArgumentError(notWritten(path, error));
  });
  try {
    const made = await make();
    await written.writeFile(made.text);
    if (process.getuid?.() === 0 && existsSync(place)) {
      const { uid, gid } = await stat(place);
      await written.chown(uid, gid);
    }
    await written.sync();
    await rename(next, place);
    return made;
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await written.close();
  }
}

const notWritten = (path: string, { code }: NodeJS.ErrnoException) =>
  code === 'EEXIST'
    ? `${path}.next is there: another rotation is under way, or was broken off; then remove it`
    : `${path} cannot be written (${code}); name another file with --out`;
