import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Middlewares for every path as one, for which Express has nothing to match between them. As with
 * Express, an error that one passes on, or throws, ends them.
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
