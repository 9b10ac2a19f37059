import { ListingCommand } from '../admin/commands/command-line.js';
import { readServiceVersion } from '../config/service-version.js';
import { extensionsIn } from './extension-modules.js';

interface Extended {
  readonly extension?: readonly string[];
}

const EXTENSION = [
  '--extension <file>',
  'a module whose export "extension" is added; as often as there are some',
  (file: string, before: readonly string[] = []) => [...before, file],
] as const;

/** The command `gatehouse`. It loads the code of a command when that command is called. */
export async function runGatehouse(args: readonly string[]): Promise<void> {
  const program = new ListingCommand('gatehouse')
    .description('Accounts with passkeys, OAuth 2.1, MCP and tabs, configured by the environment.')
    .version(readServiceVersion())
    .enablePositionalOptions();
  program
    .command('start')
    .description('runs the service until a signal ends it')
    .option(...EXTENSION)
    .action(start);
  program
    .command('migrate')
    .description('brings the database of DATABASE_URL to this version, and ends')
    .option(...EXTENSION)
    .action(migrate);
  program
    .command('doctor')
    .description('checks the configuration, or what runs at an origin')
    .argument('[origin]', 'such as https://gate.example')
    .option(...EXTENSION)
    .action(doctor);
  program
    .command('texts')
    .description('writes all that the pages say, as JSON, to be translated')
    .requiredOption('--language <tag>', 'BCP 47, such as fr; what it lacks is in English')
    .option(...EXTENSION)
    .action(showTexts);
  program
    .command('admin')
    .description('looks after users, clients, apps and budgets; admin --help tells what there is')
    .argument('[command...]')
    .option(...EXTENSION)
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(administer);
  await program.parseAsync(args, { from: 'user' });
}

async function start({ extension }: Extended) {
  const extensions = await extended(extension);
  const service = await import('../start.js');
  await service.start(extensions);
}

async function migrate({ extension }: Extended) {
  const extensions = await extended(extension);
  await orExplain(async () => {
    const { readDatabaseLocation } = await import('../config/config.js');
    const { migrateDatabase } = await import('../database.module.js');
    const names = await migrateDatabase(readDatabaseLocation(), extensions);
    for (const name of names) process.stdout.write(`${name}\n`);
    if (names.length === 0) process.stderr.write('The database is that of this version already.\n');
  });
}

async function doctor(origin: string | undefined, { extension }: Extended) {
  const extensions = await extended(extension);
  const { runDoctor } = await import('../doctor/doctor.js');
  await runDoctor(origin === undefined ? [] : [origin], extensions);
}

async function showTexts({ language, extension }: Extended & { readonly language: string }) {
  const extensions = await extended(extension);
  await orExplain(async () => {
    const { textsToTranslate } = await import('../languages.js');
    process.stdout.write(`${JSON.stringify(textsToTranslate(language, extensions), null, 2)}\n`);
  });
}

async function administer(args: readonly string[], { extension }: Extended) {
  const extensions = await extended(extension);
  const { runAdmin, processTerminal } = await import('../admin/commands/run-admin.js');
  process.exit(await runAdmin(args, processTerminal(), extensions));
}

const extended = (files: readonly string[] = []) => orExplain(() => extensionsIn(files));

/** The result of `work`; a failure is printed in one line and ends the process. */
async function orExplain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { describeStartFailure } = await import('../start-failure.js');
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}
