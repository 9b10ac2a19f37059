import { All, type CanActivate, RequestMethod, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RefusalError } from './refusal.error.js';

/** The 405 of an address. Its `Allow` header lists all methods, its message leaves out HEAD and OPTIONS. */
export function methodNotAllowed(methods: readonly string[], place = 'this address'): RefusalError {
  const named = methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
  const message = `${place} takes ${named.join(' and ')} only`;
  return new RefusalError(405, message, { Allow: methods.join(', ') });
}

interface AllowOptions {
  /** Beside the methods of the handlers: HEAD for those of GET, and OPTIONS where a middleware answers it. */
  readonly also?: readonly ('HEAD' | 'OPTIONS')[];
  readonly place?: string;
}

const reflector = new Reflector();

/**
 * For a controller: its paths take the methods of its handlers, and answer any other with RefusalError 405 and `Allow`.
 *
 * Nest has only 404 for these, and runs no guard. This adds, behind the handlers, a handler of all methods to each
 * path, so that Nest runs the guards and filters of the class first, as the contract wants it (401 and 429 before 405),
 * and those of the handlers (403, 429) not at all. HEAD, which Express gives to the handlers of GET, is refused by a
 * guard there, after the others. Handlers that the class inherits are not known.
 */
export const AllowRoutedMethods =
  ({ also = [], place }: AllowOptions = {}): ClassDecorator =>
  (controller) => {
    const prototype = controller.prototype as object;
    const handlers = handlersOf(prototype);
    const paths = new Set(handlers.flatMap((handler) => handler.paths));
    for (const path of paths) {
      const here = handlers.filter((handler) => handler.paths.includes(path));
      const methods = [...here.map(({ method }) => method), ...also];
      const refuse = (): never => {
        throw methodNotAllowed(methods, place);
      };
      const guard: CanActivate = {
        canActivate: (context) =>
          context.switchToHttp().getRequest<Request>().method !== 'HEAD' || refuse(),
      };
      for (const { name, method, descriptor } of here) {
        if (method !== 'GET' || methods.includes('HEAD')) continue;
        UseGuards(guard)(prototype, name, descriptor);
      }
      Object.defineProperty(prototype, `405 ${path}`, { value: refuse });
      All(path)(prototype, `405 ${path}`, { value: refuse });
    }
  };

/** The handlers in their order, by what `@Get()` and its kind keep: the path or paths, and the method. */
const handlersOf = (prototype: object) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, descriptor]) => {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function' || name === 'constructor') return [];
    const path = reflector.get<string | string[] | undefined>('path', handler);
    if (path === undefined) return [];
    const method = RequestMethod[reflector.get<RequestMethod>('method', handler)];
    return [{ name, descriptor, paths: [path].flat(), method }];
  });
