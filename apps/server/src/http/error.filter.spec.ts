import {
  type ArgumentsHost,
  BadRequestException,
  ConflictException,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import { ErrorFilter, textOfHttpException } from './error.filter.js';

const said = (error: HttpException) => textOfHttpException(error.getStatus(), error.getResponse());

describe('textOfHttpException', () => {
  it.each([
    [new NotFoundException(), 'not found'],
    [new BadRequestException('too many anvils'), 'too many anvils'],
    [new BadRequestException('too many anvils', 'ANVILS'), 'too many anvils'],
    [new HttpException('out of anvils', 409), 'out of anvils'],
    [new HttpException('', 499), ''],
  ])('takes the words of %p: %s', (error, message) => {
    expect(said(error)).toEqual({ message });
  });

  it.each([
    [new ConflictException({ code: 'anvils' }), { code: 'anvils' }],
    [new HttpException({ message: 'anvils' }, 400), { message: 'anvils' }],
    [new HttpException(['anvils'], 400), ['anvils']],
    [
      new BadRequestException(['a must be b', 'c must be d']),
      { message: ['a must be b', 'c must be d'], error: 'Bad Request', statusCode: 400 },
    ],
    [
      new BadRequestException({ message: 'anvils', statusCode: 400, max: 3 }),
      { message: 'anvils', statusCode: 400, max: 3 },
    ],
  ])('takes the object of %p', (error, body) => {
    expect(said(error).body).toEqual(body);
  });
});

describe('ErrorFilter', () => {
  it('cuts an answer that was begun: there is no other way to say that it failed', () => {
    let cuts = 0;
    const response = { headersSent: true, destroy: () => (cuts += 1) };
    const http = { getRequest: () => ({ path: '/acme' }), getResponse: () => response };
    const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
    expect(() =>
      new ErrorFilter(() => undefined).catch(new BadRequestException(), host),
    ).not.toThrow();
    expect(cuts).toBe(1);
  });
});
