import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { ConfigMap, PodTemplateSpec, Secret, Service } from 'kubernetes-types/core/v1.d.ts';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { parse } from 'yaml';
import { readConfig } from '../../apps/server/src/config/config.js';
import { Environment } from '../../apps/server/src/config/environment.js';
import { build, only } from './kustomization.js';
import { typeErrors } from './manifest-types.js';

interface Monitor {
  readonly spec: {
    readonly jobLabel: string;
    readonly selector: { readonly matchLabels: Record<string, string> };
    readonly podMetricsEndpoints: readonly { readonly port: string; readonly path: string }[];
  };
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

const manifests = build(`${ROOT}ops/kubernetes/overlays/example`);
const deployment = only<Deployment>(manifests, 'Deployment', 'gatehouse');
const job = only<Job>(manifests, 'Job', 'gatehouse-migration');
const pods = [deployment.spec?.template, job.spec?.template] as [PodTemplateSpec, PodTemplateSpec];
const [replica, migration] = pods;
const containerOf = ({ spec }: PodTemplateSpec) => spec?.containers[0] ?? { name: 'none' };
const server = containerOf(replica);

const { data: settings = {} } = only<ConfigMap>(manifests, 'ConfigMap', 'gatehouse');
const secretOf = (name: string) => only<Secret>(manifests, 'Secret', name).stringData ?? {};

/** The values of a pod's `_FILE` variables, read through its mounts. */
function secretsOf(pod: PodTemplateSpec) {
  const { env = [], volumeMounts = [] } = containerOf(pod);
  const volumes = pod.spec?.volumes ?? [];
  const found = env.map(({ name, value = '' }) => {
    const mount = volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
    const volume = volumes.find((one) => one.name === mount?.name);
    const key = value.slice((mount?.mountPath.length ?? 0) + 1);
    return [name.replace(/_FILE$/, ''), secretOf(volume?.secret?.secretName ?? '')[key]] as const;
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const config = readConfig({ ...settings, ...secretsOf(replica) });
/** PgBouncer, Sentinel, and OTLP over HTTP. */
const ALSO_USUAL = [6432, 26379, 4318];

const portNumber = (wanted: string | number | undefined) =>
  server.ports?.find(({ name }) => name === wanted)?.containerPort;
const mebibytes = (quantity = '') =>
  Number.parseInt(quantity, 10) * (quantity.endsWith('Gi') ? 1024 : 1);
const isSelected = (pod: PodTemplateSpec, labels: Record<string, string> = {}) =>
  Object.entries(labels).every(([name, value]) => pod.metadata?.labels?.[name] === value);

describe('ops/kubernetes', () => {
  it('has what Kubernetes knows, and nothing that it does not', () => {
    expect(typeErrors(manifests)).toEqual([]);
  });

  it('the check of types reports a member that Kubernetes does not know', () => {
    const misspelt = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'x' },
      spec: { port: 1 },
    };
    expect(typeErrors([misspelt])).toEqual([expect.stringContaining('"port"')]);
  });

  it('sets variables that the service takes, and gives it its secrets as files', () => {
    const files = pods.flatMap((pod) => containerOf(pod).env ?? []).map(({ name }) => name);
    expect(files).toEqual(['DATABASE_URL_FILE', 'REDIS_URL_FILE', 'DATABASE_URL_FILE']);
    for (const name of Object.keys(settings)) expect(new Environment()).toHaveProperty(name);
    expect(config).toMatchObject({
      database: { type: 'postgres' },
      redisUrl: expect.stringMatching(/^redis:/) as unknown,
      publicOrigins: ['https://gate.example'],
      listen: { host: '0.0.0.0' },
      management: {
        host: '0.0.0.0',
        allowedHosts: [],
        admin: { token: undefined, tokensFile: undefined },
      },
    });
    expect(server.envFrom).toEqual([{ configMapRef: { name: 'gatehouse' } }]);
  });

  it('migrates by a job alone, as another user of Postgres, with the command of the image', () => {
    expect(config.migratesAtStart).toBe(false);
    const { command = [], image } = containerOf(migration);
    expect(command[0]).toBe('node');
    expect(read(command[1]?.replace(/^dist\/(.+)\.js$/, '$1.ts') ?? '')).toContain('runGatehouse');
    expect([command[2], image]).toEqual(['migrate', server.image]);
    const users = pods.map((pod) => new URL(secretsOf(pod)['DATABASE_URL'] ?? '').username);
    expect(users).toEqual(['gatehouse', 'gatehouse_owner']);
  });

  it('asks at ports that the service listens on', () => {
    const { startupProbe, livenessProbe, readinessProbe } = server;
    const probes = [startupProbe, livenessProbe, readinessProbe];
    for (const probe of probes)
      expect(portNumber(probe?.httpGet?.port)).toBe(config.management?.port);
    const { ports = [], selector } = only<Service>(manifests, 'Service', 'gatehouse').spec ?? {};
    expect(ports.map(({ targetPort }) => portNumber(targetPort))).toEqual([config.listen.port]);
    expect(pods.map((pod) => isSelected(pod, selector))).toEqual([true, false]);
  });

  it('is reached under its public origin', () => {
    const { tls = [], rules = [] } = only<Ingress>(manifests, 'Ingress', 'gatehouse').spec ?? {};
    const hosts = config.publicOrigins?.map((origin) => new URL(origin).host);
    expect(rules.map(({ host }) => host)).toEqual(hosts);
    expect(tls.flatMap(({ hosts: named = [] }) => named)).toEqual(hosts);
    const backends = rules.flatMap(({ http }) => http?.paths.map(({ backend }) => backend) ?? []);
    expect(backends).toEqual([{ service: { name: 'gatehouse', port: { name: 'http' } } }]);
  });

  it('lets through what has to come and go', () => {
    const policy = only<NetworkPolicy>(manifests, 'NetworkPolicy', 'gatehouse').spec;
    expect(pods.map((pod) => isSelected(pod, policy?.podSelector.matchLabels))).toEqual([
      true,
      true,
    ]);
    const incoming = policy?.ingress?.flatMap(({ ports = [] }) => ports);
    expect(incoming?.map(({ port }) => portNumber(port))).toEqual([3000, 9090]);
    const outgoing = new Set(
      policy?.egress?.flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
    );
    const { DATABASE_URL = '', REDIS_URL = '' } = secretsOf(replica);
    const needed = [53, 443, ...[DATABASE_URL, REDIS_URL].map((url) => Number(new URL(url).port))];
    expect([...outgoing].toSorted()).toEqual([...needed, ...ALSO_USUAL].toSorted());
    const toData = policy?.egress?.find(({ ports = [] }) =>
      ports.some(({ port }) => port === 6432),
    );
    expect(toData?.to).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'data' } } },
    ]);
  });

  it('ends and takes away replicas no faster than they can end', () => {
    const { terminationGracePeriodSeconds = 0 } = replica.spec ?? {};
    const pause = server.lifecycle?.preStop?.sleep?.seconds ?? 0;
    expect(pause).toBeGreaterThan(0);
    const needed = pause + config.shutdownGraceMs / 1000 + 5;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
    expect(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
    const budget = only<PodDisruptionBudget>(manifests, 'PodDisruptionBudget', 'gatehouse').spec;
    expect(budget?.maxUnavailable).toBe(1);
    expect(pods.map((pod) => isSelected(pod, budget?.selector?.matchLabels))).toEqual([
      true,
      false,
    ]);
  });

  it('runs as an unprivileged user on a read-only file system', () => {
    for (const pod of pods) {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(containerOf(pod).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('has room for the heap, what is beside it and 8 runs of code', () => {
    const heap = Number(/--max-old-space-size=(\d+)/.exec(read('Dockerfile'))?.[1]);
    expect(mebibytes(server.resources?.limits?.['memory'])).toBeGreaterThanOrEqual(
      heap + 256 + 8 * 32,
    );
    expect(mebibytes(containerOf(migration).resources?.limits?.['memory'])).toBeGreaterThan(heap);
  });

  it('has an autoscaler that asks for what the adapter tells, and a scrape that finds the pods', () => {
    const autoscaler = JSON.stringify(
      only(manifests, 'HorizontalPodAutoscaler', 'gatehouse')['spec'],
    );
    const { rules } = parse(read('ops/prometheus/adapter.yml')) as {
      rules: { name: { as: string } }[];
    };
    expect(autoscaler).toContain(`"metric":{"name":"${rules[0]?.name.as}"}`);
    expect(deployment.spec?.replicas).toBeUndefined();
    const { name, component } = { name: 'gatehouse', component: 'server' };
    expect(
      isSelected(replica, {
        'app.kubernetes.io/name': name,
        'app.kubernetes.io/component': component,
      }),
    ).toBe(true);
    expect(read('ops/prometheus/prometheus.yml')).toContain(
      `regex: ${name};${component};management;Running`,
    );
  });

  it('has for the Prometheus operator what finds the pods, as the job of the alerts, and the alerts', () => {
    const operator = build(`${ROOT}ops/kubernetes/overlays/prometheus-operator`);
    expect(operator.map(({ metadata }) => metadata.namespace)).toEqual(['gatehouse', 'gatehouse']);
    const { spec: monitor } = only<Monitor>(operator, 'PodMonitor', 'gatehouse');
    expect(pods.map((pod) => isSelected(pod, monitor.selector.matchLabels))).toEqual([true, false]);
    expect(replica.metadata?.labels?.[monitor.jobLabel]).toBe('gatehouse');
    const [endpoint] = monitor.podMetricsEndpoints;
    expect(portNumber(endpoint?.port)).toBe(config.management?.port);
    expect(endpoint?.path).toBe('/metrics');
    const { spec } = only<{ spec: unknown }>(operator, 'PrometheusRule', 'gatehouse');
    expect(spec).toEqual(parse(read('ops/prometheus/gatehouse.rules.yml')));
  });

  it('is applied and asked as docs/guides/operating.md says', () => {
    const page = read('docs/guides/operating.md');
    const chapter = page.slice(page.indexOf('## On Kubernetes'), page.indexOf('## Watching it'));
    const commands = /```sh\n(.+?)```/s.exec(chapter)?.[1]?.trim().split('\n') ?? [];
    expect(commands.shift()).toBe('kubectl apply -k ops/kubernetes/overlays/example');
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const [, kind, name] = / (job|deployment)\/(\S+)/.exec(command) ?? [];
      expect(command).toMatch(/^kubectl -n gatehouse /);
      const { metadata } = kind === 'job' ? job : deployment;
      expect(metadata).toMatchObject({ name, namespace: 'gatehouse' });
      for (const [, path] of command.matchAll(/dist\/(\S+)\.js/g)) {
        expect(read(`${path}.ts`)).toContain('runGatehouse');
      }
    }
  });
});
