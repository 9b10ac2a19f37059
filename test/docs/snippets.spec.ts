import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { Environment } from '../../apps/server/src/config/environment.js';

interface Block {
  /** Its document and first line. */
  readonly title: string;
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

/** The spec that runs a document's snippets in a language, or compares them with code that runs. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md html': 'test/browser/documented.browser-spec.ts',
  'README.md ts': 'test/extending/snippets.e2e-spec.ts',
  'docs/guides/sign-in.md html': 'test/browser/documented.browser-spec.ts',
  'docs/guides/user-control.md html': 'test/browser/documented.browser-spec.ts',
  'docs/guides/sign-in.md js': 'test/auth/documented-back-end.e2e-spec.ts',
  'docs/reference/account.md http': 'test/account/documentation.e2e-spec.ts',
  'docs/reference/administration.md console': 'test/administration/documented.e2e-spec.ts',
  'docs/reference/administration.md json': 'apps/server/src/config/admin-tokens.spec.ts',
  'docs/reference/administration.md sh': 'apps/server/src/config/admin-tokens.spec.ts',
  'docs/reference/administration.md text': 'test/events/administration.e2e-spec.ts',
  'docs/reference/configuration.md http': 'test/mcp/screening-webhook.e2e-spec.ts',
  'docs/reference/configuration.md': 'test/storage/redis-acl.e2e-spec.ts',
  'docs/reference/http.md sh': 'test/docs/curl.e2e-spec.ts',
  'docs/reference/events.md http': 'apps/server/src/outbox/webhook-sink.spec.ts',
  'docs/guides/extending.md js': 'test/extending/instrumented.e2e-spec.ts',
  'docs/guides/extending.md ts': 'test/extending/snippets.e2e-spec.ts',
  'docs/reference/test-kit.md ts': 'test/extending/documented-kit.e2e-spec.ts',
  'docs/reference/hub-protocol.md js': 'test/browser/documented.browser-spec.ts',
  'docs/guides/machines.md js': 'test/clients/machines.e2e-spec.ts',
  'docs/guides/operating.md sql': 'test/storage/documented-sql.e2e-spec.ts',
  'docs/guides/upgrading.md sql': 'test/storage/documented-sql.e2e-spec.ts',
  'docs/guides/operating.md postgresql': 'test/operation/database-role.e2e-spec.ts',
  'docs/guides/managed-access.md json': 'apps/server/src/config/trusted-issuers.spec.ts',
  'docs/guides/resources.md json': 'apps/server/src/resources.spec.ts',
  'docs/guides/resources.md http': 'test/operation/doctor-resources.e2e-spec.ts',
  'docs/guides/resources.md ts': 'test/extending/resource-routes.e2e-spec.ts',
  'docs/guides/page-tools.md html': 'test/browser/documented.browser-spec.ts',
  'docs/guides/resources.md js': 'test/clients/resource-server.e2e-spec.ts',
  'examples/resource-server/README.md sh': 'test/clients/resource-server.e2e-spec.ts',
  'examples/team/README.md sh': 'test/package/team.e2e-spec.ts',
};

/** Diagrams, which cannot be run. */
const PICTURES = new Set(['docs/about/architecture.md mermaid']);

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'examples/*/*.md'], {
  cwd: ROOT,
});
const blocks: Block[] = documents.flatMap((document) =>
  [...read(document).matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    title: `${document}: ${text.split('\n')[0]}`,
    document,
    language,
    text,
  })),
);
const keyOf = ({ document, language }: Block) => `${document} ${language}`.trim();
const isRunBySpec = (block: Block) => keyOf(block) in RUN_BY;

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: object };
const cli = read('apps/server/src/cli/gatehouse.ts');

/** External programs that the reader uses outside of this repository. */
const OF_OTHERS = new Set([
  'claude',
  'curl',
  'docker build',
  'git tag',
  'kubectl',
  'ssh',
  'npx',
  'openssl',
  'sqlite3',
  'tr',
]);
const OF_NPM = new Set(['ci', 'install', 'pack', 'pkg', 'publish', 'version']);

/** The commands of a block, without comments; continued lines are joined. */
const commandsIn = (text: string) =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');

/** The fault of a command; undefined when everything that it names exists. */
function complaintAbout(command: string): string | undefined {
  const [, set = '', rest = ''] = /^((?:[A-Z_]+=\S+\s*)*)(.*)$/.exec(command) ?? [];
  const unknown = [...set.matchAll(/([A-Z_]+)=/g)].find(([, name = '']) => !isVariable(name));
  if (unknown) return `no variable ${unknown[1]}`;
  const [program = '', first = '', second = ''] = rest.replace(' --silent', '').split(/\s+/);
  if (rest === '' || OF_OTHERS.has(program) || OF_OTHERS.has(`${program} ${first}`))
    return undefined;
  if (program === 'npm') return complaintAboutNpm(first, second);
  if (program === 'gatehouse') {
    return cli.includes(`add('${first}',`) ? undefined : `no command ${first}`;
  }
  if (program === 'docker') {
    const named = rest.match(/\b(?:server-\d|postgres|redis|nginx)(?= |$)/g) ?? [];
    const missing = named.find((name) => !(name in services));
    return missing === undefined ? undefined : `no service ${missing}`;
  }
  const file =
    program === 'node' ? (rest.split(/\s+/).find((word) => /\.m?js$/.test(word)) ?? '') : program;
  const source = file.replace(/^dist\/(.+)\.js$/, '$1.ts');
  return existsSync(`${ROOT}${source}`) ? undefined : `no file ${file}`;
}

function complaintAboutNpm(first: string, second: string) {
  if (OF_NPM.has(first)) return undefined;
  const script = first === 'run' ? second : first;
  return script in scripts ? undefined : `no script ${script}`;
}

const isVariable = (name: string) =>
  /^(?:NODE_ENV|NODE_OPTIONS|OTEL_[A-Z_]+)$/.test(name) || name in new Environment();

describe('snippets of the documents', () => {
  it('are each run by a spec, or looked at here', () => {
    const uncovered = blocks.filter(
      (block) =>
        !isRunBySpec(block) &&
        !PICTURES.has(keyOf(block)) &&
        !['sh', 'json'].includes(block.language),
    );
    expect(uncovered).toEqual([]);
    expect(blocks.length).toBeGreaterThan(50);
  });

  it.each(Object.entries(RUN_BY))('%s is read by %s', (key, spec) => {
    expect(blocks.map(keyOf)).toContain(key);
    const [document = ''] = key.split(' ');
    expect(read(spec)).toContain(document.replace('examples/team/', ''));
  });

  it.each(blocks.filter((block) => block.language === 'sh' && !isRunBySpec(block)))(
    'name commands, files, services and variables that there are: $title',
    ({ text }) => {
      const commands = commandsIn(text);
      expect(commands.length).toBeGreaterThan(0);
      const complaints = commands.flatMap((command) => complaintAbout(command) ?? []);
      expect(complaints).toEqual([]);
    },
  );

  it.each(blocks.filter((block) => block.language === 'json' && !isRunBySpec(block)))(
    'are JSON: $title',
    ({ text }) => {
      expect(Object.keys(JSON.parse(text) as object)).toHaveLength(1);
    },
  );
});
