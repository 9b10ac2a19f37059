import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Joins middlewares that apply to every path, so that Express matches no path between them. As in Express, an error
 * that one of them throws or passes to `next` ends the chain.
 */
export const inOrder =
  (...steps: readonly RequestHandler[]): RequestHandler =>
  (request: Request, response: Response, next: NextFunction) => {
    const go = (at: number) => {
      const step = steps[at];
      if (!step) return next();
      return step(request, response, (error?: unknown) => {
        if (error === undefined) go(at + 1);
        else next(error);
      });
    };
    go(0);
  };
