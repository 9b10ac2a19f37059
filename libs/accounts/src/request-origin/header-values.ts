import type { IncomingMessage } from 'node:http';

/**
 * The values of a header, one for each time that it was sent; `name` in lower case. Node's own
 * `headersDistinct` sorts all headers of the request for that.
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1], name));
}

const isNamed = (header = '', name: string) =>
  header.length === name.length && header.toLowerCase() === name;
