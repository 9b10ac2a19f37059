/** The request that is hidden in the body, or after the end, of every request here. */
const smuggled = (host: string, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Proto: https\r\n\r\n`;

interface Smuggling {
  readonly host: string;
  /** The path of the outer request. */
  readonly outer: string;
  /** The path of the hidden request. */
  readonly inner: string;
}

/**
 * Requests whose end servers disagree about (RFC 9112 §11.2), by name. `refused` ones are malformed or too unusual to
 * be accepted; `two` are two valid requests, `one` is a valid request with a body, and `either` are two valid ones
 * that a proxy may refuse as too unusual.
 */
export function smugglingAttempts({ host, outer, inner }: Smuggling) {
  const hidden = smuggled(host, inner);
  const head = (method: string, ...lines: string[]) =>
    [`${method} ${outer} HTTP/1.1`, `Host: ${host}`, 'X-Forwarded-Proto: https', ...lines].join(
      '\r\n',
    );
  const post = (...lines: string[]) => `${head('POST', ...lines)}\r\n\r\n`;
  const chunked = 'Transfer-Encoding: chunked';
  const END = '0\r\n\r\n';
  const length = (value: string | number) => `Content-Length: ${value}`;
  const transfer = (line: string) => post(line) + END + hidden;
  const chunks = (body: string) => post(chunked) + body + hidden;

  const refused: Record<string, string> = {
    'length and chunked': post(length(5), chunked) + END + hidden,
    'chunked and length': post(chunked, length(3)) + END + hidden,
    'chunked and the length of it all': post(chunked, length(5 + hidden.length)) + END + hidden,
    'two lengths': post(length(0), length(hidden.length)) + hidden,
    'two lengths that agree': post(length(0), length(0)) + hidden,
    'a list of lengths': post(length('0, 0')) + hidden,
    'a length with a sign': post(length('+0')) + hidden,
    'a negative length': post(length(-1)) + hidden,
    'a hexadecimal length': post(length('0x0')) + hidden,
    'a length too large for a number': post(length('18446744073709551616')) + hidden,
    'a space before the colon of the length': post('Content-Length : 0') + hidden,
    'a space before the colon of the coding': transfer('Transfer-Encoding : chunked'),
    'a vertical tab before the coding': transfer('Transfer-Encoding: \u000Bchunked'),
    'a coding like chunked': transfer('Transfer-Encoding: xchunked'),
    identity: transfer('Transfer-Encoding: identity'),
    'chunked, but not last': transfer('Transfer-Encoding: chunked, identity'),
    'chunked in quotes': transfer('Transfer-Encoding: "chunked"'),
    'two codings': transfer(`${chunked}\r\nTransfer-Encoding: identity`),
    'chunked twice': transfer(`${chunked}\r\n${chunked}`),
    'a folded coding': transfer('Transfer-Encoding:\r\n chunked'),
    'a folded line': `${head('GET', 'X-Folded: a', ` ${length(hidden.length)}`)}\r\n\r\n${hidden}`,
    'a first line that begins with a space': `GET ${outer} HTTP/1.1\r\n X: y\r\nHost: ${host}\r\n\r\n${hidden}`,
    'a line that ends without a carriage return': `${head('GET', `X-Bare: a\n${chunked}`)}\r\n\r\n${hidden}`,
    'headers that end without a carriage return': `${head('GET')}\r\n\n${hidden}`,
    'a carriage return within a line': `${head('GET', `X-Bare: a\r${length(hidden.length)}`)}\r\n\r\n${hidden}`,
    'a NUL within a line': `${head('GET', 'X-Nul: a\0b')}\r\n\r\n${hidden}`,
    'chunks of a length with a prefix': chunks(`0x2\r\n{}\r\n${END}`),
    'chunks of a negative length': chunks(`-2\r\n{}\r\n${END}`),
    'chunks of a length too large for a number': chunks(`10000000000000002\r\n{}\r\n${END}`),
    'chunks longer than they say': chunks(`2\r\n{}xx${END}`),
    'a chunk extension that ends without a carriage return': chunks(`2;\n{}\r\n${END}`),
    'chunks with bare line feeds': chunks('2\n{}\n0\n\n'),
  };
  const two: Record<string, string> = {
    'chunks with extensions': chunks(`2;a=b;c="d"\r\n{}\r\n0;e\r\n\r\n`),
    'chunked in capitals': transfer('TRANSFER-ENCODING: CHUNKED'),
    'a length of nothing': post(length(0)) + hidden,
  };
  const one: Record<string, string> = {
    'a GET with a body': `${head('GET', length(hidden.length))}\r\n\r\n${hidden}`,
    'a POST with a request for a body': post(length(hidden.length)) + hidden,
  };
  const either: Record<string, string> = {
    'a tab before the coding': transfer('Transfer-Encoding:\tchunked'),
    'several codings, chunked last': transfer('Transfer-Encoding: gzip, chunked'),
  };
  return { refused, two, one, either };
}
