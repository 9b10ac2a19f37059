import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, onFreePort, type Program, startProgram } from '#libs/platform/testing';

interface Watched {
  /** The port of the first primary, which the Sentinels watch. */
  readonly port: number;
  readonly password: string;
  /** The password that clients of the Sentinels need. */
  readonly sentinelPassword: string;
}

/** The Sentinels' name for the primary. */
export const PRIMARY = 'main';

/** Has a quorum of two. Declares nothing down until `SENTINEL SET` shortens its timeout. */
export class SentinelServer {
  constructor(
    private readonly program: Program,
    readonly port: number,
  ) {}

  async stop() {
    await this.program.stop();
  }
}

/** Starts a Sentinel on a free port. */
export const startSentinel = (watched: Watched): Promise<SentinelServer> =>
  onFreePort((port) => start(port, watched));

async function start(port: number, watched: Watched) {
  const path = findRedisServer();
  if (path === undefined) throw new Error('redis-server is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'sentinel-'));
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `requirepass ${watched.sentinelPassword}`,
    `sentinel sentinel-pass ${watched.sentinelPassword}`,
    `sentinel monitor ${PRIMARY} 127.0.0.1 ${watched.port} 2`,
    `sentinel auth-pass ${PRIMARY} ${watched.password}`,
    `sentinel down-after-milliseconds ${PRIMARY} 3600000`,
    `sentinel failover-timeout ${PRIMARY} 5000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const program = await startProgram({
    path,
    args: [file, '--sentinel'],
    folder,
    readyLine: '+monitor master',
  });
  return new SentinelServer(program, port);
}
