import { readConfig } from './config.js';

const shown = (variables: Record<string, string>, name: string) =>
  readConfig(variables).settings.find((setting) => setting.name === name);

describe('shownSettings', () => {
  it.each([
    [
      'a password',
      'DATABASE_URL',
      'postgres://gate:se%40cret@db:5432/gate',
      'postgres://db:5432/gate',
    ],
    ['one with @', 'DATABASE_URL', 'postgres://gate:p@ss@db/gate', 'postgres://db/gate'],
    [
      'one in the query',
      'DATABASE_URL',
      'postgres://db/gate?password=secret',
      'postgres://db/gate',
    ],
    ['no name', 'REDIS_URL', 'redis://:secret@cache:6379/0', 'redis://cache:6379/0'],
    [
      'a path that is a secret',
      'SCREENING_WEBHOOK_URL',
      'https://hook.example/T0/secret',
      'https://hook.example',
    ],
    ['no address', 'SERVICE_NAME', 'A & B', 'A & B'],
    [
      'a list',
      'PUBLIC_ORIGINS',
      'https://a.example,https://b.example',
      'https://a.example, https://b.example',
    ],
  ])('an address without credentials: %s', (_what, name, value, expected) => {
    expect(shown({ [name]: value }, name)).toEqual({
      name,
      value: expected,
      source: 'environment',
      file: undefined,
    });
  });

  it('only says of a secret that it is set, and of what is left out its default', () => {
    const ADMIN_TOKEN = 'correct-horse/battery+staple_0123==';
    const variables = { MANAGEMENT_PORT: '9090', ADMIN_TOKEN };
    expect(shown(variables, 'ADMIN_TOKEN')?.value).toBe('set, not shown');
    expect(shown({}, 'ADMIN_TOKEN')).toMatchObject({ value: '', source: 'default' });
    expect(shown({}, 'PORT')).toMatchObject({ value: '3000', source: 'default' });
  });

  it('knows our variables alone', () => {
    expect(shown({ AWS_SECRET_ACCESS_KEY: 'x' }, 'AWS_SECRET_ACCESS_KEY')).toBeUndefined();
  });
});
