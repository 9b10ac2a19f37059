import { Injectable } from '@nestjs/common';
import { McpResource } from '#libs/mcp';
import { PNG, resource } from './fixture-options.js';

@Injectable()
export class FixtureResources {
  @McpResource(resource('static-text', 'test://static-text', 'text/plain'))
  text() {
    return 'This is the content of the static text resource.';
  }

  @McpResource(resource('static-binary', 'test://static-binary', 'image/png'))
  binary() {
    return Buffer.from(PNG, 'base64');
  }

  @McpResource(resource('template', 'test://template/{id}/data', 'application/json'))
  template({ id }: { id: string }) {
    return JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  }
}
