import { All, Controller, Get, Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TakenPathsModule } from './taken-paths.module.js';

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

const starting = async (...imports: Type[]) => {
  const paths = TakenPathsModule.forRoot([{ module: OurModule }]);
  const module = await Test.createTestingModule({ imports: [...imports, paths] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init().finally(() => app.close());
};

const REFUSAL = '/:any/item of TheirController.list can match /area/item of OurController.item,';

describe('paths of the service', () => {
  it.each([
    ['after', [OurModule, TheirModule]],
    ['before', [TheirModule, OurModule]],
  ])('are refused to a controller that is registered %s its own', async (_when, imports) => {
    await expect(starting(...imports)).rejects.toThrow(REFUSAL);
  });

  it('may overlap each other, and those of teams too', async () => {
    await expect(starting(OurModule)).resolves.toBeUndefined();
    await expect(starting(TheirModule)).resolves.toBeUndefined();
  });
});
