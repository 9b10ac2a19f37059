import { All, Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Request } from 'express';
import { RefusalError } from '#libs/accounts';
import { AdminDocument } from './admin-document.js';
import { ForRole } from './admin-token.guard.js';
import { Operation } from './operation.decorator.js';

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
