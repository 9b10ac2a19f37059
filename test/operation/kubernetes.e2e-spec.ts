import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import { build, only } from '../containers/kustomization.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { managementPortOf } from '../support/management.js';

const OVERLAY = fileURLToPath(new URL('../../ops/kubernetes/overlays/example', import.meta.url));

const manifests = build(OVERLAY);
const { data = {} } = only<ConfigMap>(manifests, 'ConfigMap', 'gatehouse');
const server = only<Deployment>(manifests, 'Deployment', 'gatehouse').spec?.template.spec
  ?.containers[0];

/** Free ports, and a database that no other process migrates. */
const HERE = { PORT: '0', MANAGEMENT_PORT: '0', MIGRATE: 'on' };

describe('a pod of ops/kubernetes', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ ...data, ...HERE }));

  /** Sends a request like the kubelet and Prometheus, to the pod's address. */
  const status = async (path = '') => {
    const headers = { host: '10.244.1.7:9090' };
    return (await call(managementPortOf(gatehouse), { method: 'GET', path, headers })).status;
  };

  it.each([
    ['startup', server?.startupProbe],
    ['liveness', server?.livenessProbe],
    ['readiness', server?.readinessProbe],
  ])('is found well by its %s probe', async (_kind, probe) => {
    expect(await status(probe?.httpGet?.path)).toBe(200);
  });

  it('tells its metrics by its address', async () => {
    expect(await status('/metrics')).toBe(200);
  });

  it('answers an ingress controller alone under the public origin', async () => {
    const headers = { host: 'gate.example', 'x-forwarded-proto': 'https' };
    const { port } = gatehouse;
    expect((await call(port, { method: 'GET', path: '/svc/auth/me', headers })).status).toBe(421);
  });
});
