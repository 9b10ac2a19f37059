import { ListingCommand } from '../admin/commands/listing-command.js';
import { readServiceVersion } from '../config/service-version.js';
import { extensionsIn } from './extension-modules.js';

interface Extended {
  readonly extension?: readonly string[];
}

/** The command `gatehouse`. It loads the code of a command when that command is called. */
export async function runGatehouse(args: readonly string[]): Promise<void> {
  const program = new ListingCommand('gatehouse')
    .description('Accounts with passkeys, OAuth 2.1, MCP and tabs, configured by the environment.')
    .version(readServiceVersion())
    .enablePositionalOptions();
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option(
        '--extension <file>',
        'a module whose export "extension" is added; as often as there are some',
        (file: string, before: readonly string[] = []) => [...before, file],
      );
  add('start', 'runs the service until a signal ends it').action(start);
  add('migrate', 'brings the database of DATABASE_URL to this version, and ends').action(migrate);
  add('doctor', 'checks the configuration, or what runs at an origin')
    .argument('[origin]', 'such as https://gate.example')
    .action(doctor);
  add('graph', 'writes which modules and classes need which, as JSON, and starts nothing')
    .option('--problems', 'lists what may be there by mistake instead')
    .action(showGraph);
  add('texts', 'writes all that the pages say, as JSON, to be translated')
    .requiredOption('--language <tag>', 'BCP 47, such as fr; what it lacks is in English')
    .action(showTexts);
  add('admin', 'looks after users, clients, apps and budgets; admin --help tells what there is')
    .argument('[command...]')
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

async function showGraph({ problems, extension }: Extended & { readonly problems?: true }) {
  const extensions = await extended(extension);
  await orExplain(async () => {
    const { readConfig } = await import('../config/config.js');
    const { graphText, previewOf } = await import('./graph.js');
    const { problemsOf } = await import('./graph-problems.js');
    const app = await previewOf(readConfig(), extensions);
    const lines = problems ? problemsOf(app) : [graphText(app)];
    print(lines);
  });
}

async function showTexts({ language, extension }: Extended & { readonly language: string }) {
  const extensions = await extended(extension);
  await orExplain(async () => {
    const { textsToTranslate } = await import('../languages.js');
    print([JSON.stringify(textsToTranslate(language, extensions), null, 2)]);
  });
}

async function administer(args: readonly string[], { extension }: Extended) {
  const extensions = await extended(extension);
  const { runAdmin, processTerminal } = await import('./run-admin.js');
  process.exit(await runAdmin(args, processTerminal(), extensions));
}

/** A reader that has enough, such as `head`, closes the pipe: this ends the command and is not an error. */
function print(lines: readonly string[]) {
  process.stdout.on('error', () => process.exit());
  for (const line of lines) process.stdout.write(`${line}\n`);
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
