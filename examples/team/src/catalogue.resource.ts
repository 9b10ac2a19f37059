import { Injectable } from '@nestjs/common';
import { McpResource } from 'gatehouse/mcp';

const ANVILS: Readonly<Record<string, string>> = { small: '5 kg', large: '50 kg' };

/** What a model may want to read before it orders. */
@Injectable()
export class CatalogueResource {
  @McpResource({
    uri: 'acme://anvils/{size}',
    name: 'acme_anvil',
    title: 'Anvil',
    description: 'An anvil of the catalogue: small or large.',
    mimeType: 'text/plain',
    scope: 'acme:shop',
  })
  anvil({ size }: { size: string }) {
    return ANVILS[size] && `A ${size} anvil of ${ANVILS[size]}`;
  }
}
