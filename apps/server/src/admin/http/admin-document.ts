import {
  applyDecorators,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  type Type,
  UseGuards,
} from '@nestjs/common';
import {
  ApiExcludeController,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  type OpenAPIObject,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { AllowRoutedMethods, RefusalError } from '#libs/accounts';
import { ForRole } from './admin-token.guard.js';

/** The body of every refusal; a refused operation changed nothing. */
class Refusal {
  @ApiProperty() error!: string;
}

/** The refusals that every operation may answer. */
const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'the token is missing or unknown',
  403: 'the role of the token does not go so far',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

interface OperationOptions {
  /** 200 unless the operation creates something. */
  readonly status?: 200 | 201;
  /** The operation's own refusals: the status and its condition. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Describes an operation in the OpenAPI document; its id there is the name of its method. */
export const Operation = (
  summary: string,
  answer: Type,
  { status = 200, refusals = {} }: OperationOptions = {},
) =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, description: status === 201 ? 'Made' : 'Done', type: answer }),
    ...Object.entries({ ...REFUSALS, ...refusals }).map(([refusal, description]) =>
      ApiResponse({ status: Number(refusal), description, type: Refusal }),
    ),
  );

interface Input {
  /** Names of query parameters. */
  readonly query: readonly string[];
  /** Names of the body's members; undefined for an operation without a body. */
  readonly body: readonly string[] | undefined;
}

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

  /** The input of a route such as `/admin/users/:id`; undefined for a route that the document does not describe. */
  inputOf(route: string, method: string): Input | undefined {
    const operations = this.content.paths[route.replaceAll(/:(\w+)/g, '{$1}')];
    const operation = operations?.[method === 'HEAD' ? 'get' : (method.toLowerCase() as 'get')];
    if (!operation) return undefined;
    const parameters = operation.parameters ?? [];
    const query = parameters.flatMap((each) =>
      'in' in each && each.in === 'query' ? each.name : [],
    );
    return { query, body: this.membersOf(operation.requestBody) };
  }

  private membersOf(body: unknown): string[] | undefined {
    if (body === undefined) return undefined;
    const [, name = ''] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(body)) ?? [];
    const schema = this.content.components?.schemas?.[name];
    return schema && 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  }
}

function fits(pattern: string, path: string): boolean {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  const isSegment = (part: string, at: number) =>
    part.startsWith('{') ? given[at] !== '' : given[at] === part;
  return expected.length === given.length && expected.every(isSegment);
}

/** Serves the OpenAPI document. */
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
