import { All, Controller, Get, Injectable, Req } from '@nestjs/common';
import { ApiExcludeEndpoint, type OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { RefusalError } from '#libs/accounts';
import { ForRole, Operation } from '../operation/operation.js';

/** The OpenAPI document of the administration API, available once that application is created. */
@Injectable()
export class AdminDocument {
  content!: OpenAPIObject;

  /** The methods, in capitals, that exist at a path as it was sent. */
  methodsAt(path: string): string[] {
    return Object.entries(this.content.paths)
      .filter(([pattern]) => fits(pattern, path))
      .flatMap(([, operations]) => Object.keys(operations).map((method) => method.toUpperCase()));
  }
}

function fits(pattern: string, path: string): boolean {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  const isSegment = (part: string, at: number) =>
    part.startsWith('{') ? given[at] !== '' : given[at] === part;
  return expected.length === given.length && expected.every(isSegment);
}

/**
 * Serves the OpenAPI document and, as the last controller, refuses unknown paths: only requests with a token learn
 * which paths exist.
 */
@Controller()
export class DocumentController {
  constructor(private readonly document: AdminDocument) {}

  @Get('admin/openapi.json')
  @Operation('This document', Object)
  describe() {
    return this.document.content;
  }

  @All('{*path}')
  @ForRole('read')
  @ApiExcludeEndpoint()
  refuse(@Req() { path }: Request): never {
    const methods = this.document.methodsAt(path);
    if (methods.length === 0) throw new RefusalError(404, 'not found');
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const Allow = [...new Set(allowed)].toSorted().join(', ');
    throw new RefusalError(405, `use ${Allow}`, { Allow });
  }
}
