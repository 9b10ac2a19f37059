import { chown, copyFile, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Certificate,
  findNginx,
  type Program,
  startProgram,
  unprivilegedAccount,
} from '#libs/platform/testing';

const SHIPPED = fileURLToPath(new URL('../../../ops/nginx/', import.meta.url));

/** The site's page, which nginx serves in addition to the service. */
export const SITE_PAGE = '<title>A site</title>';

interface NginxOptions {
  /** The address it listens on, such as `127.0.7.10:8443`. */
  readonly address: string;
  /** Addresses of the replicas. */
  readonly replicas: readonly string[];
  readonly certificate: Certificate;
  /** The content of its list of own paths; undefined for a configuration without one. */
  readonly ownPaths?: string | undefined;
}

/** A request that passed through, as its log records it. */
export interface Hop {
  readonly request: string;
  readonly path: string;
  readonly status: number;
  /** The replica's address; several joined with `, ` when nginx retried the request on another one. */
  readonly replica: string;
}

/** nginx with the configuration that the repository ships, in a folder of its own. */
export class NginxServer {
  constructor(
    private readonly program: Program,
    private readonly folder: string,
  ) {}

  async hops(): Promise<Hop[]> {
    const log = await readFile(join(this.folder, 'hops.log'), 'utf8');
    return log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Hop);
  }

  /** Runs some work while the site has no page at `/`. */
  async withoutSite(work: () => Promise<void>) {
    const site = join(this.folder, 'site');
    await rename(join(site, 'index.html'), join(site, 'away.html'));
    try {
      await work();
    } finally {
      await rename(join(site, 'away.html'), join(site, 'index.html'));
    }
  }

  async stop() {
    await this.program.stop();
  }
}

export const startNginxServer = (options: NginxOptions) =>
  start((folder) => layOut(folder, options));

/** nginx with the servers of a spec, and a certificate for them in `certificate.pem` and `key.pem`. */
export const startNginxWith = (servers: string, certificate: Certificate) =>
  start(async (folder) => {
    await writeCertificate(folder, certificate);
    await writeFile(join(folder, 'nginx.conf'), around(servers));
  });

async function start(prepare: (folder: string) => Promise<unknown>): Promise<NginxServer> {
  const path = findNginx();
  if (path === undefined) throw new Error('nginx is not installed');
  const account = await unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  await prepare(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const program = await startProgram({
    path,
    args: ['-p', `${folder}/`, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    folder,
    readyLine: 'start worker process',
    account,
    endsBy: 'SIGTERM',
  });
  return new NginxServer(program, folder);
}

/** Copies the shipped files unchanged, and writes those that depend on the place. */
async function layOut(folder: string, options: NginxOptions) {
  const { address, replicas, certificate, ownPaths } = options;
  await mkdir(join(folder, 'here'));
  await mkdir(join(folder, 'site'));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  if (ownPaths !== undefined) {
    await mkdir(join(folder, 'here/own-paths'));
    await write('here/own-paths/team.conf', ownPaths);
  }
  await Promise.all([
    ...['nginx.conf', 'forwarded-headers.conf'].map((name) =>
      copyFile(join(SHIPPED, name), join(folder, name)),
    ),
    write('here/replicas.conf', await replicasAt(replicas)),
    write('here/listener.conf', listenerAt(address)),
    writeCertificate(folder, certificate),
    write('site/index.html', SITE_PAGE),
  ]);
}

async function writeCertificate(folder: string, { certificate, privateKey }: Certificate) {
  await writeFile(join(folder, 'certificate.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), privateKey);
}

const around = (servers: string) => `
daemon off;
pid nginx.pid;
error_log stderr notice;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n')}
${servers}
}
`;

/** The shipped list of replicas with other addresses. */
async function replicasAt(addresses: readonly string[]) {
  const shipped = await readFile(join(SHIPPED, 'compose/replicas.conf'), 'utf8');
  const left = [...addresses];
  return shipped.replaceAll(/^server [^ ]+/gm, () => `server ${left.shift()}`);
}

const listenerAt = (address: string) => `
listen ${address} ssl;
ssl_certificate certificate.pem;
ssl_certificate_key key.pem;
root site;
access_log hops.log hops;
add_header X-Replica $upstream_addr always;
set $strict_transport_security "";
set $site_content_policy "default-src 'none'; frame-ancestors 'none'";
`;
