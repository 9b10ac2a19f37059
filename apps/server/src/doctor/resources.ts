import { originOfResource, type Resource } from '#libs/oauth';
import type { Config } from '../config/config.js';
import { type Finding, ok } from './finding.js';
import { resourceFinding } from './smoke-test.js';

type Settings = Pick<Config, 'publicOrigins' | 'listen'>;

/** Whether clients find their way from each resource beside `/svc/mcp` to this service. */
export async function* resourceFindings(
  resources: readonly Resource[],
  { publicOrigins, listen }: Settings,
): AsyncIterable<Finding> {
  const origins = publicOrigins ?? [`http://localhost:${listen.port}`];
  yield* await Promise.all(
    resources.map((one) => {
      const { resource } = one;
      const origin = originOfResource(one);
      return origin === undefined || origins.includes(origin)
        ? ok(`${resource} is on the origin of this service, which has its metadata`)
        : resourceFinding(resource, origins);
    }),
  );
}
