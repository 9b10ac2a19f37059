import { metadataUrl, type Resource, ResourcesService } from './resource.js';

const ORIGIN = 'https://gate.example';
const OTHER = 'https://gate.test';

const resource = (identifier: string, ...names: string[]): Resource => ({
  resource: identifier,
  name: identifier,
  scopes: names.map((name) => ({ name, description: name })),
  tokens: 'opaque',
});

const withResources = (...resources: Resource[]) =>
  new ResourcesService({
    serviceName: 'Gate',
    scopes: [{ name: 'account:read', description: 'see your name' }],
    resources,
    publicOrigins: [ORIGIN, OTHER],
  });

const identifiersAt = (resources: ResourcesService, origin: string) =>
  resources.all(origin).map(({ resource: identifier }) => identifier);

describe('resource indicator', () => {
  const resources = withResources();

  it.each([
    'https://gate.example/svc/mcp',
    'https://gate.example/svc/mcp/',
    'HTTPS://GATE.example/svc/mcp',
    'https://gate.example:443/svc/mcp',
  ])('is ours: %s', (indicator) => {
    expect(resources.find(ORIGIN, indicator)).toEqual(resources.defaultOf(ORIGIN));
  });

  it.each([
    '',
    'https://gate.example',
    'https://gate.example/',
    'https://gate.example/svc',
    'https://gate.example/svc/mcp//',
    'https://gate.example/svc/mcp/x',
    'https://gate.example/SVC/mcp',
    'https://gate.example/svc/mcp?x',
    'https://gate.example/svc/mcp#',
    'https://gate.example/svc/../svc/mcp',
    'https://gate.example/svc/%6Dcp',
    'https://gate.example:8443/svc/mcp',
    'https://user@gate.example/svc/mcp',
    'https://gate.example.evil/svc/mcp',
    'https://gate.example\\@evil/svc/mcp',
    'http://gate.example/svc/mcp',
    'https://evil.example/svc/mcp',
    ' https://gate.example/svc/mcp',
    'https://gate.example/svc/mcp\n',
    'gate.example/svc/mcp',
    '/svc/mcp',
  ])('is another: %j', (indicator) => {
    expect(resources.find(ORIGIN, indicator)).toBeUndefined();
  });

  it.each([
    ['https://notes.example', 'https://notes.example/'],
    ['https://notes.example/', 'https://notes.example'],
    ['https://notes.example/a/', 'https://NOTES.example:443/a'],
    ['https://notes.example/a?b=/', 'https://notes.example/a?b=/'],
    ['https://notes.example?b', 'HTTPS://notes.example?b'],
  ])('of %s may be %s', (listed, indicator) => {
    expect(withResources(resource(listed)).find(ORIGIN, indicator)?.resource).toBe(listed);
  });

  it.each([
    ['https://notes.example/a', 'https://notes.example/A'],
    ['https://notes.example/a', 'https://notes.example/a?'],
    ['https://notes.example/a?b=/', 'https://notes.example/a?b='],
    ['/notes', '/notes'],
  ])('of %s is not %s', (listed, indicator) => {
    expect(withResources(resource(listed)).find(ORIGIN, indicator)).toBeUndefined();
  });
});

describe('the resources of an origin', () => {
  it('are /svc/mcp alone where nothing is listed', () => {
    const resources = withResources();
    expect(resources.all(ORIGIN)).toEqual([
      {
        resource: `${ORIGIN}/svc/mcp`,
        name: 'Gate',
        scopes: [{ name: 'account:read', description: 'see your name' }],
        tokens: 'opaque',
      },
    ]);
  });

  it('are those of this origin and those elsewhere, after the default one', () => {
    const resources = withResources(
      resource(`${OTHER}/theirs`),
      resource('https://notes.example/mcp'),
      resource('/notes'),
    );
    expect(identifiersAt(resources, ORIGIN)).toEqual([
      `${ORIGIN}/svc/mcp`,
      'https://notes.example/mcp',
      `${ORIGIN}/notes`,
    ]);
    expect(identifiersAt(resources, OTHER)).toEqual([
      `${OTHER}/svc/mcp`,
      `${OTHER}/theirs`,
      'https://notes.example/mcp',
      `${OTHER}/notes`,
    ]);
    expect(resources.find(ORIGIN, `${OTHER}/theirs`)).toBeUndefined();
    expect(resources.find(ORIGIN, `${OTHER}/notes`)).toBeUndefined();
  });

  it('are found by the path of their own origin alone', () => {
    const resources = withResources(resource('/'), resource('/notes'));
    expect(resources.find(ORIGIN, `${ORIGIN}/`)?.resource).toBe(`${ORIGIN}/`);
    expect(resources.find(ORIGIN, `${ORIGIN}/notes/`)?.resource).toBe(`${ORIGIN}/notes`);
    for (const other of ['https://evil.example', `${ORIGIN}.evil`, `${ORIGIN}:8443`, OTHER]) {
      for (const path of ['', '/', '/notes']) {
        expect([other, path, resources.find(ORIGIN, other + path)]).toEqual([
          other,
          path,
          undefined,
        ]);
      }
    }
  });

  it('have their scopes in one list', () => {
    const resources = withResources(resource('/a', 'a:read', 'a:write'), resource('/b', 'b:read'));
    expect(resources.scopesOf(ORIGIN).map(({ name }) => name)).toEqual([
      'account:read',
      'a:read',
      'a:write',
      'b:read',
    ]);
  });

  it('are found for a route by path, URL or neither', () => {
    const resources = withResources(resource('/notes'), resource(`${OTHER}/theirs`));
    expect(resources.at(ORIGIN)?.resource).toBe(`${ORIGIN}/svc/mcp`);
    expect(resources.at(ORIGIN, '/notes')?.resource).toBe(`${ORIGIN}/notes`);
    expect(resources.at(OTHER, '/theirs')?.resource).toBe(`${OTHER}/theirs`);
    expect(resources.at(ORIGIN, '/theirs')).toBeUndefined();
    expect(resources.at(ORIGIN, `${OTHER}/theirs`)).toBeUndefined();
    expect(resources.anywhere('/theirs')?.resource).toBe(`${OTHER}/theirs`);
    expect(resources.anywhere(`${OTHER}/theirs`)?.resource).toBe(`${OTHER}/theirs`);
    expect(resources.anywhere('/none')).toBeUndefined();
  });

  it('are found for a route where no origins are listed', () => {
    const service = { serviceName: 'Gate', scopes: [] };
    const resources = new ResourcesService({
      ...service,
      resources: [resource('/notes'), resource(`${OTHER}/theirs`)],
    });
    expect(resources.anywhere('/notes')?.name).toBe('/notes');
    expect(resources.anywhere('/theirs')?.resource).toBe(`${OTHER}/theirs`);
    expect(new ResourcesService(service).anywhere('/notes')).toBeUndefined();
    expect(new ResourcesService(service).anywhere()?.name).toBe('Gate');
  });
});

describe('the metadata of a resource', () => {
  it.each([
    ['https://gate.example/svc/mcp', '/.well-known/oauth-protected-resource/svc/mcp'],
    ['https://gate.example', '/.well-known/oauth-protected-resource'],
    ['https://gate.example/', '/.well-known/oauth-protected-resource'],
    ['https://gate.example/a?b=c', '/.well-known/oauth-protected-resource/a?b=c'],
  ])('of %s is at %s', (identifier, path) => {
    expect(metadataUrl({ resource: identifier })).toBe(ORIGIN + path);
  });
});
