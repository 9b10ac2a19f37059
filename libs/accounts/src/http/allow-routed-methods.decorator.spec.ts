import type { AddressInfo } from 'node:net';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type INestApplication,
  Patch,
  Post,
  UnauthorizedException,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Request, Response } from 'express';
import { AllowRoutedMethods } from './allow-routed-methods.decorator.js';
import { RefusalError } from './refusal.error.js';

const needsToken: CanActivate = {
  canActivate(context) {
    if (context.switchToHttp().getRequest<Request>().headers.authorization) return true;
    throw new UnauthorizedException();
  },
};

const refusesAll: CanActivate = { canActivate: () => false };

@Catch(RefusalError)
class RefusalFilter implements ExceptionFilter<RefusalError> {
  catch({ status, headers, message }: RefusalError, host: ArgumentsHost) {
    host.switchToHttp().getResponse<Response>().status(status).set(headers).send(message);
  }
}

/** The decorator may stand below the guards, as here, or above them. */
@Controller('notes')
@UseGuards(needsToken)
@UseFilters(RefusalFilter)
@AllowRoutedMethods()
class NotesController {
  @Get()
  list() {
    return 'notes';
  }

  @Patch(['one', ':id/tags'])
  @UseGuards(refusesAll)
  change() {}

  @Get('one')
  @UseGuards(refusesAll)
  read() {}
}

@AllowRoutedMethods({ also: ['HEAD'] })
@UseFilters(RefusalFilter)
@Controller('public')
class PublicController {
  @Get()
  read() {}

  @Post()
  write() {}
}

describe('a controller that allows its routed methods', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const controllers = [NotesController, PublicController];
    const module = await Test.createTestingModule({ controllers }).compile();
    app = module.createNestApplication({ routeConflictPolicy: { duplicate: 'error' } });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const send = async (method: string, path: string, headers = { authorization: 'Bearer x' }) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
    return [answer.status, answer.headers.get('allow')];
  };

  it.each([
    ['PUT', '/notes', 'GET'],
    ['OPTIONS', '/notes', 'GET'],
    ['HEAD', '/notes', 'GET'],
    ['POST', '/notes/one', 'PATCH, GET'],
    ['GET', '/notes/7/tags', 'PATCH'],
    ['PUT', '/public', 'GET, POST, HEAD'],
  ])('405 | %s %s | with Allow: %s', async (method, path, allow) => {
    expect(await send(method, path)).toEqual([405, allow]);
  });

  it.each(['PUT', 'HEAD'])('401 | %s | its own guards come before the method', async (method) => {
    expect(await send(method, '/notes', { authorization: '' })).toEqual([401, null]);
  });

  it('403 | guards of a handler come after the method, and on HEAD before it', async () => {
    expect((await send('PATCH', '/notes/one'))[0]).toBe(403);
    expect((await send('HEAD', '/notes/one'))[0]).toBe(403);
  });

  it.each([
    ['GET', '/notes', 200],
    ['HEAD', '/public', 200],
    ['PUT', '/notes/unknown', 404],
  ])('does not concern %s %s', async (method, path, status) => {
    expect(await send(method, path)).toEqual([status, null]);
  });
});
