import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Operations = Readonly<Record<string, { readonly responses?: object }>>;

const read = (path: string) =>
  readFileSync(new URL(`../../docs/reference/${path}`, import.meta.url), 'utf8');

/** Statuses that http.md has and openapi.yaml leaves out: what is off, and the protocol's own checks. */
const IN_WORDS_ONLY: Readonly<Record<string, readonly string[]>> = {
  'POST /svc/oauth/register': ['404'],
  'GET /svc/jwks': ['404'],
  'POST /svc/introspect': ['404'],
  'POST /svc/mcp': ['404', '406'],
};

const { paths } = parse(read('openapi.yaml')) as {
  readonly paths: Readonly<Record<string, Operations>>;
};

/** The statuses of refusals by route, as `POST /svc/me/passkeys/<id>`. */
const described = new Map(
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['get', 'post', 'patch', 'delete'].includes(method))
      .map(([method, { responses = {} }]) => {
        const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, '<$1>')}`;
        const refusals = Object.keys(responses).filter((status) => Number(status) >= 400);
        return [route, [...refusals, ...(IN_WORDS_ONLY[route] ?? [])].toSorted()] as const;
      }),
  ),
);

/** The rows of the tables whose last column has statuses. */
const [routes = ''] = read('http.md').split('\n## Statuses\n');
const told = new Map(
  [...routes.matchAll(/^\| (`[A-Z]+ \/.+?`) +\|.*\|([^|]*)\|$/gm)].flatMap(
    ([, names = '', statuses = '']) =>
      [...names.matchAll(/`([A-Z]+ \/svc\/[^`…]*)`/g)].map(
        ([, name = '']) =>
          [
            name,
            [...statuses.matchAll(/\b[45]\d\d\b/g)].map(([status]) => status).toSorted(),
          ] as const,
      ),
  ),
);

describe('docs/reference/http.md', () => {
  it('has the routes of openapi.yaml, and no other below /svc/', () => {
    expect(told.size).toBeGreaterThan(25);
    expect([...told.keys()].toSorted()).toEqual([...described.keys()].toSorted());
  });

  it.each([...described])('has the statuses of %s', (route, statuses) => {
    expect(told.get(route)).toEqual(statuses);
  });
});
