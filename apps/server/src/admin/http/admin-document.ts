import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import type { Request } from 'express';
import { AllowRoutedMethods, RefusalError } from '#libs/accounts';
import { ForRole, Operation } from '../operation/operation.js';

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

@Controller()
export class DocumentController {
  constructor(private readonly document: AdminDocument) {}

  @Get('admin/openapi.json')
  @Operation('This document', Object)
  describe() {
    return this.document.content;
  }
}

/** Refuses whatever comes to it: 405 for a path of the document, 404 for any other. */
@Injectable()
class UnknownOperationGuard implements CanActivate {
  constructor(private readonly document: AdminDocument) {}

  canActivate(context: ExecutionContext): never {
    const { path } = context.switchToHttp().getRequest<Request>();
    const methods = this.document.methodsAt(path);
    if (methods.length === 0) throw new RefusalError(404, 'not found');
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const Allow = [...new Set(allowed)].toSorted().join(', ');
    throw new RefusalError(405, `use ${Allow}`, { Allow });
  }
}

/** The last controller: every request that is left, with a token of any role; without one no path is told. */
@Controller()
@AllowRoutedMethods()
@ApiExcludeController()
@ForRole('read')
@UseGuards(UnknownOperationGuard)
export class UnknownOperationController {
  @Get('{*path}')
  unknown() {}
}
