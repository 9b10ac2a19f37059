import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

interface Input {
  /** Names of query parameters. */
  readonly query: readonly string[];
  /** Names of the members of the body; undefined where none is read. */
  readonly body: readonly string[] | undefined;
}

/** The OpenAPI document of the administration API, once the application that it describes is made. */
@Injectable()
export class AdminDocument {
  content!: OpenAPIObject;

  /** Those that there are at a path as it was sent, in capitals. */
  methodsAt(path: string): string[] {
    return Object.entries(this.content.paths)
      .filter(([pattern]) => fits(pattern, path))
      .flatMap(([, operations]) => Object.keys(operations).map((method) => method.toUpperCase()));
  }

  /** What the operation of a route such as `/admin/users/:id` takes; undefined for one that is not described. */
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
