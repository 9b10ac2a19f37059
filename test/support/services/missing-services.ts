import {
  findChromium,
  findNginx,
  findPgBouncer,
  findPostgresFolder,
  findRedisServer,
} from '../../../libs/platform/src/testbed/installed.testbed.ts';

const SERVICES = [
  {
    name: 'redis-server',
    find: findRedisServer,
    projects: ['e2e-redis', 'e2e-postgres'],
  },
  { name: 'postgresql', find: findPostgresFolder, projects: ['e2e-postgres'] },
  { name: 'nginx', find: findNginx, projects: [] },
  { name: 'pgbouncer', find: findPgBouncer, projects: [] },
  { name: 'chromium', find: findChromium, projects: ['browser'] },
];

/**
 * The test projects that cannot run on this machine; prints one line for each missing service. With
 * `REQUIRE_SERVICES=1` in the environment a missing service is an error instead.
 */
export function projectsLeftOut(): ReadonlySet<string> {
  const missing = SERVICES.filter(({ find }) => find() === undefined);
  if (missing.length > 0 && process.env['REQUIRE_SERVICES'] === '1') {
    const names = missing.map(({ name }) => name).join(' ');
    throw new Error(`REQUIRE_SERVICES=1, but not installed: ${names} (apt-get install ${names})`);
  }
  for (const { name, projects } of missing) {
    process.stderr.write(
      `${name} is not installed: left out ${[...projects, 'any spec that needs it'].join(', ')} (apt-get install ${name})\n`,
    );
  }
  return new Set(missing.flatMap(({ projects }) => projects));
}
