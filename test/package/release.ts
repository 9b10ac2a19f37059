import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { builtFile } from '../support/built-file.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEAM = join(ROOT, 'examples/team/src');

const run = promisify(execFile);

/** The package and a team's repository that uses it, in one version each. */
export class Release {
  constructor(private readonly folder: string) {}

  /** The built package as npm packs it, and the example team that uses it. */
  static async pack(folder: string): Promise<Release> {
    builtFile('main.js');
    const place = join(folder, 'node_modules/gatehouse');
    await mkdir(place, { recursive: true });
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', args, { cwd: ROOT });
    await run('tar', ['xzf', join(folder, stdout.trim()), '--strip-components=1', '-C', place]);
    await mkdir(join(folder, 'dist'));
    for (const file of globSync('*.ts', { cwd: TEAM })) {
      const source = await readFile(join(TEAM, file), 'utf8');
      await writeFile(join(folder, 'dist', `${basename(file, '.ts')}.js`), compiled(source));
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    // Shared dependencies are installed once, above both.
    const shared = join(folder, '../node_modules');
    await symlink(join(ROOT, 'node_modules'), shared);
    const release = new Release(folder);
    await release.extend([]);
    return release;
  }

  /** The next release: `version`, with a migration of the package and one of the team. */
  async next(folder: string, version: string): Promise<Release> {
    await cp(this.folder, folder, { recursive: true });
    const gatehouse = join(folder, 'node_modules/gatehouse');
    const manifest = JSON.parse(await readFile(join(gatehouse, 'package.json'), 'utf8'));
    await writeFile(join(gatehouse, 'package.json'), JSON.stringify({ ...manifest, version }));
    await appendFile(
      join(gatehouse, 'dist/apps/server/src/audit/audit-migrations.js'),
      `${migration('Next0001Migration1899999999991', OF_THE_PACKAGE)}
      auditMigrations.push(Next0001Migration1899999999991);`,
    );
    const release = new Release(folder);
    await release.extend([migration('Acme0002Migration1899999999992', OF_THE_TEAM)]);
    return release;
  }

  /** The script of the command, with the team's extension. */
  command(...args: string[]): string[] {
    const script = join(this.folder, 'node_modules/gatehouse/dist/apps/server/src/main.js');
    return [script, ...args, '--extension', join(this.folder, 'dist/team.extension.js')];
  }

  /** Stores challenges in Redis: Acme's in-memory store supports one replica only. */
  private async extend(migrations: readonly string[]) {
    const names = migrations.map((source) => /class (\w+)/.exec(source)?.[1]);
    const source = `
      import { extension as acme } from './acme.extension.js';
      ${migrations.join('\n')}
      export const extension = {
        ...acme,
        replacements: { ...acme.replacements, passkeys: [] },
        migrations: [...acme.migrations, ${names.join()}],
      };`;
    await writeFile(join(this.folder, 'dist/team.extension.js'), source);
  }
}

/** Tables that every request reads. */
const OF_THE_PACKAGE = [
  'CREATE TABLE next_notes (id integer PRIMARY KEY)',
  'ALTER TABLE users ADD COLUMN next_note varchar(20)',
  'ALTER TABLE sessions ADD COLUMN next_note varchar(20)',
  'ALTER TABLE oauth_grants ADD COLUMN next_note varchar(20)',
];

const OF_THE_TEAM = ['ALTER TABLE acme_greetings ADD COLUMN last_language varchar(2)'];

const migration = (name: string, statements: readonly string[]) => `
  class ${name} {
    name = '${name}';
    async up(runner) {
      for (const statement of ${JSON.stringify(statements)}) await runner.query(statement);
    }
    async down() {}
  }`;

const compiled = (source: string) =>
  ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      verbatimModuleSyntax: true,
    },
  }).outputText;
