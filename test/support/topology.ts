import { randomInt } from 'node:crypto';
import { ServerProcess } from './built-server.js';
import {
  type Certificate,
  eventually,
  findNginx,
  selfSignedCertificate,
} from '#libs/platform/testing';
import { call } from './http.js';
import { type NginxServer, startNginxServer } from './services/nginx-server.js';
import { storageForTests, type TestStorage } from './services/storage-for-tests.js';
import { startTlsTunnel, type TlsTunnel } from './tls-tunnel.js';

const ORIGIN = 'https://localhost:8443';

type Variables = Readonly<Record<string, string>>;

/** One of the servers behind the load balancer; it restarts at the same address. */
export class Replica {
  process: ServerProcess;

  constructor(
    readonly host: string,
    private readonly variables: Variables,
    private script?: readonly string[],
  ) {
    this.process = this.run();
  }

  get address() {
    return `${this.host}:3000`;
  }

  /** Resolves when it listens. */
  ready = () => this.process.port();

  kill = () => this.process.kill();

  /** Shuts it down gracefully; resolves to its exit code. */
  async end() {
    this.process.signal('SIGTERM');
    return this.process.exitCode();
  }

  /** Starts it again with the same script, or with another one and its arguments. */
  async start(script = this.script) {
    this.script = script;
    this.process = this.run();
    await this.ready();
  }

  private run() {
    const variables = {
      HOST: this.host,
      PORT: '3000',
      MANAGEMENT_HOST: this.host,
      MANAGEMENT_PORT: '9090',
      PUBLIC_ORIGINS: ORIGIN,
      TRUSTED_PROXIES: 'loopback',
      CLIENT_ADDRESS_HEADER: 'X-Real-IP',
      RATE_LIMIT_MAX: '1000000',
      ...this.variables,
    };
    return new ServerProcess(variables, this.script);
  }
}

/**
 * The services of docker-compose.yml as processes: nginx with the shipped configuration, TLS, and two servers, each
 * on its own address in 127.0.0.0/8.
 */
export class Topology {
  readonly origin = ORIGIN;
  private readonly tunnels: TlsTunnel[] = [];

  private constructor(
    readonly storage: TestStorage,
    readonly replicas: readonly [Replica, Replica],
    private readonly nginx: NginxServer,
    private readonly balancer: string,
    private readonly certificate: Certificate,
  ) {}

  /** `script` is what the replicas run, with its arguments; by default the built service. */
  static async start(variables: Variables = {}, script?: readonly string[]): Promise<Topology> {
    const storage = await storageForTests();
    const environment = { ...storage.environment, ...variables };
    const network = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`;
    const replicas = [
      new Replica(`${network}.11`, environment, script),
      new Replica(`${network}.12`, environment, script),
    ] as const;
    const balancer = `${network}.10`;
    const certificate = selfSignedCertificate(['localhost']);
    try {
      await Promise.all(replicas.map((replica) => replica.ready()));
      const nginx = await startNginxServer({
        address: `${balancer}:8443`,
        replicas: replicas.map(({ address }) => address),
        certificate,
      });
      const topology = new Topology(storage, replicas, nginx, balancer, certificate);
      await topology.visitor();
      return topology;
    } catch (error) {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await storage.dispose();
      throw error;
    }
  }

  /** The port for plain HTTP to the load balancer. */
  get port() {
    return this.tunnels[0]?.port ?? 0;
  }

  /** The same entrance for a visitor at another address. */
  async visitor(localAddress?: string) {
    const tunnel = await startTlsTunnel({
      host: this.balancer,
      port: 8443,
      ca: this.certificate.certificate,
      localAddress,
    });
    this.tunnels.push(tunnel);
    return { port: tunnel.port, origin: ORIGIN };
  }

  hops = () => this.nginx.hops();

  withoutSite = (work: () => Promise<void>) => this.nginx.withoutSite(work);

  /** How many requests each replica received during the work, including those that nginx retried on the other one. */
  async turns(work: () => Promise<unknown>): Promise<number[]> {
    const before = (await this.hops()).length;
    await work();
    const hops = (await this.hops()).slice(before);
    return this.replicas.map(
      ({ address }) => hops.filter(({ replica }) => replica.includes(address)).length,
    );
  }

  /** Resolves when both replicas receive requests again. */
  async settle() {
    await eventually(async () => {
      const turns = await this.turns(async () => {
        await this.probe();
        await this.probe();
      });
      if (turns.includes(0)) throw new Error(`not both in turn: ${turns.join()}`);
    });
  }

  async stop() {
    await Promise.all(this.tunnels.map((tunnel) => tunnel.stop()));
    await this.nginx.stop();
    await Promise.all(this.replicas.map((replica) => replica.kill()));
    await this.storage.dispose();
  }

  private probe = () =>
    call(this.port, {
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      headers: { host: new URL(ORIGIN).host },
    });
}

const missing =
  globalThis.STORAGE !== 'postgres'
    ? 'left out where storage is not Postgres and Redis'
    : process.platform !== 'linux'
      ? 'left out where there is but one loopback address'
      : findNginx() === undefined
        ? 'left out: nginx is not installed'
        : undefined;

/** Like `describe`, but skipped, with the reason in the title, where the topology cannot run. */
export function describeTopology(title: string, body: () => void) {
  if (missing === undefined) describe(title, body);
  else describe.skip(`${title} (${missing})`, body);
}
