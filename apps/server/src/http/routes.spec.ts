import { All, Controller, Get, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ErrorFormat } from '#libs/accounts';
import { errorFormats, expectFreePaths, routesOf } from './routes.js';

@Controller('area')
class OurController {
  @All('item')
  item() {}

  @All('{*rest}')
  fallback() {}
}

@Controller()
class TheirController {
  @Get(['elsewhere', ':any/item'])
  list() {}
}

@Module({ controllers: [OurController] })
class OurModule {}

@Module({ controllers: [TheirController] })
class TheirModule {}

const routesIn = async (...imports: Type[]) => {
  const app = await Test.createTestingModule({ imports: [...imports, DiscoveryModule] }).compile();
  return routesOf(app.get(DiscoveryService), app.get(ModulesContainer));
};

const starting = async (...imports: Type[]) => {
  expectFreePaths(await routesIn(...imports), new Set([OurModule]));
};

const REFUSAL = '/:any/item of TheirController.list can match /area/item of OurController.item,';

describe('paths of the service', () => {
  it.each([
    ['after', [OurModule, TheirModule]],
    ['before', [TheirModule, OurModule]],
  ])('are refused to a controller that is registered %s its own', async (_when, imports) => {
    await expect(starting(...imports)).rejects.toThrow(REFUSAL);
  });

  /** A service with a team's controller at this path. */
  const startingWith = (path: string) => {
    @Controller()
    class OneController {
      @Get(path)
      one() {}
    }
    @Module({ controllers: [OneController] })
    class OneModule {}
    return starting(OurModule, OneModule);
  };

  it.each(['AREA/Item', 'area{/:any}', 'ar:ea/item', '{*rest}', '{:any/}item', 'area'])(
    'can be matched by /%s',
    async (path) => {
      const refusal = / of OneController\.one can match \/area\//;
      await expect(startingWith(path)).rejects.toThrow(refusal);
    },
  );

  it.each(['areas', 'ar', 'area-:any/item', 'b:any/item', ''])(
    'cannot be matched by /%s',
    async (path) => {
      await expect(startingWith(path)).resolves.toBeUndefined();
    },
  );

  it('may overlap each other, and those of teams too', async () => {
    await expect(starting(OurModule)).resolves.toBeUndefined();
    await expect(starting(TheirModule)).resolves.toBeUndefined();
  });
});

const AS_JSON: ErrorFormat = { bodyOf: ({ message }) => ({ error: message }) };
const IN_AREA: ErrorFormat = { ...AS_JSON, below: '/api/' };

@Controller('items')
@ErrorFormat(AS_JSON)
class JsonController {
  @All()
  list() {}

  @All('{*rest}')
  one() {}
}

@Controller('api')
@ErrorFormat(IN_AREA)
class AreaController {
  @All('me')
  me() {}
}

@Module({ controllers: [JsonController, AreaController, TheirController] })
class FormatsModule {}

describe('how failures look on a path', () => {
  it.each([
    ['/items', AS_JSON],
    ['/items/', AS_JSON],
    ['/items/a/b', AS_JSON],
    ['/items-of/a', undefined],
    ['/api/me', IN_AREA],
    ['/api/unknown', IN_AREA],
    ['/api', undefined],
    ['/elsewhere', undefined],
    ['/', undefined],
  ])('is what the controllers say whose routes match it: %s', async (path, format) => {
    expect(errorFormats(await routesIn(FormatsModule))(path)).toBe(format);
  });
});
