import type { IncomingMessage } from 'node:http';

/**
 * The values of a header, one for each time it was sent; `name` in lower case. Node's own `headersDistinct` would
 * process all headers of the request.
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1], name));
}

const isNamed = (header = '', name: string) =>
  header.length === name.length && header.toLowerCase() === name;
