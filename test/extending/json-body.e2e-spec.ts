import {
  Body,
  Controller,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type PipeTransform,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { json } from 'express';
import { JsonBody, type JsonObject } from '#libs/accounts';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { bring, startTeamApp } from './team-app.js';

class Size {
  @IsInt()
  @Min(1)
  @Max(9)
  width = 1;
}

class Anvil {
  @IsString()
  name = '';

  @ValidateNested()
  @Type(() => Size)
  size = new Size();
}

class NamePipe implements PipeTransform {
  transform(value: unknown) {
    return value instanceof Anvil ? value.name : 'no anvil';
  }
}

/** Lacks the decorator that tells class-transformer the nested class, as a team may forget it. */
class Crate {
  @ValidateNested()
  size = new Size();
}

class Ruleless {
  name = '';
}

class StrictPipe extends ValidationPipe {}

const validateCustomDecorators = true;
const strict = new ValidationPipe({
  validateCustomDecorators,
  whitelist: true,
  forbidNonWhitelisted: true,
});

@Controller('acme/anvils')
class AnvilsController {
  @Post('class')
  class(@JsonBody() anvil: Anvil) {
    return { anvil, isAnvil: anvil instanceof Anvil };
  }

  @Post('crate')
  crate(@JsonBody() crate: Crate) {
    return crate;
  }

  @Post('ruleless')
  ruleless(@JsonBody() ruleless: Ruleless) {
    return ruleless;
  }

  @Post('plain')
  plain(@JsonBody(new ValidationPipe({ validateCustomDecorators })) anvil: Anvil) {
    return { anvil, isAnvil: anvil instanceof Anvil };
  }

  @Post('strict')
  strict(@JsonBody(strict) anvil: Anvil) {
    return { anvil, isAnvil: anvil instanceof Anvil };
  }

  @Post('name')
  name(@JsonBody(new NamePipe()) anvil: Anvil) {
    return { anvil };
  }

  @Post('object')
  object(@JsonBody() anvil: JsonObject) {
    return { anvil };
  }
}

const GOOD = { name: 'Acme 1', size: { width: 3 } };
const MORE = { ...GOOD, isAdmin: true, size: { width: 3, depth: 4 } };

describe('the body of a route of a team’s (contract: Own account)', () => {
  const gatehouse = useGatehouse(() => startTeamApp(bring([AnvilsController])));
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
  });

  const post = async (path: string, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await browser.post(`/acme/anvils/${path}`, text);
    return { status: answer.status, body: answer.json<object>() };
  };

  it('is an instance of the class that the method asks for, with what the class has', async () => {
    const anvil = { status: 201, body: { anvil: GOOD, isAnvil: true } };
    expect(await post('class', GOOD)).toEqual(anvil);
    expect(await post('class', MORE)).toEqual(anvil);
  });

  it('goes through a ValidationPipe of the team’s instead, with its options', async () => {
    const plain = { status: 201, body: { anvil: MORE, isAnvil: false } };
    expect(await post('plain', MORE)).toEqual(plain);
    expect((await post('strict', GOOD)).status).toBe(201);
    expect(await post('strict', MORE)).toMatchObject({
      status: 400,
      body: { message: ['property isAdmin should not exist', expect.any(String)] },
    });
  });

  it.each(['class', 'plain', 'strict', 'name'])(
    '400 | %s | a rule of the class that it breaks',
    async (path) => {
      const message = ['name must be a string', 'size.width must not be greater than 9'];
      expect(await post(path, { name: 7, size: { width: 10 } })).toEqual({
        status: 400,
        body: { statusCode: 400, error: 'Bad Request', message },
      });
    },
  );

  it.each([
    ['a class inside that class-transformer is not told of', 'crate', { size: { width: 99 } }],
    ['a class without rules', 'ruleless', { name: 'Acme 1' }],
  ])('400 | any body for %s, since nothing would be checked', async (_what, path, body) => {
    expect((await post(path, body)).status).toBe(400);
  });

  it.each([
    ['a class', StrictPipe],
    ['one without validateCustomDecorators', new StrictPipe()],
  ])('takes no ValidationPipe that checks nothing: %s', (_which, pipe) => {
    expect(() => JsonBody(pipe)).toThrow('takes a ValidationPipe as an instance');
  });

  it('400 | a body that is nested too deeply', async () => {
    const deep = `{"name":"Acme","size":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
    const answer = await browser.post('/acme/anvils/class', deep);
    expect([answer.status, answer.text]).toEqual([400, 'body is nested too deeply']);
  });

  it('is no prototype of anything', async () => {
    const body = '{"name":"Acme","size":{"width":3},"__proto__":{"isAdmin":true},"constructor":1}';
    expect(await post('class', body)).toMatchObject({ status: 201, body: { isAnvil: true } });
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  it('comes to further pipes as that instance', async () => {
    expect(await post('name', GOOD)).toEqual({ status: 201, body: { anvil: 'Acme 1' } });
  });

  it('is not checked where a JSON object is asked for', async () => {
    expect(await post('object', { name: 7 })).toEqual({
      status: 201,
      body: { anvil: { name: 7 } },
    });
  });
});

@Controller('acme/parsed')
class ParsedController {
  @Post()
  parsed(@JsonBody() anvil: JsonObject) {
    return anvil;
  }
}

@Controller('acme/body')
class NestBodyController {
  @Post()
  body(@Body() body: unknown) {
    return { body: typeof body };
  }
}

@Module({ controllers: [ParsedController, NestBodyController] })
class ParsingModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(json()).forRoutes(ParsedController);
  }
}

describe('a body that is read in another way', () => {
  const gatehouse = useGatehouse(() => startTeamApp({ modules: () => [ParsingModule] }));

  const post = async (path: string) => {
    const body = JSON.stringify({ name: 'Acme 1' });
    const headers = { 'content-type': 'application/json' };
    return new Browser(gatehouse).post(path, body, headers);
  };

  it('400 | a middleware of the team has read it', async () => {
    const { status, text } = await post('/acme/parsed');
    expect([status, text]).toEqual([400, 'body could not be read']);
  });

  it('is undefined in Nest’s own @Body()', async () => {
    expect((await post('/acme/body')).json()).toEqual({ body: 'undefined' });
  });
});
