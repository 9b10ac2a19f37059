// The files of examples/site over HTTP, under a policy that lets them reach nothing but their own origin.
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

const folder = new URL('../examples/site/', import.meta.url);

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** What is at `/`. */
const FRONT_PAGE = 'tasks/index.html';

/**
 * Answers with a file of the folder, of a folder in it with its index.html, or 404: a name that the folder does not list
 * is never opened.
 */
export async function serveFile({ method, url }, response) {
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(response, 405, 'use GET', { Allow: 'GET, HEAD' });
  }
  const [, path = '*'] = /^\/([^?]*)/.exec(url) ?? [];
  const names = await readdir(folder, { recursive: true });
  const index = path === '' ? FRONT_PAGE : `${path.replace(/\/$/, '')}/index.html`;
  const name = names.includes(index) ? index : path;
  const type = TYPES[extname(name)];
  if (type === undefined || !names.includes(name)) {
    return refuse(response, 404, 'there is no such page');
  }
  const body = await readFile(new URL(name, folder));
  const headers = { 'Content-Type': type, 'Content-Length': body.length };
  // Of an answer to HEAD, Node leaves the body out.
  response.writeHead(200, { ...HEADERS, ...headers }).end(body);
}

function refuse(response, status, text, headers = {}) {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...HEADERS, ...plain, ...headers }).end(`${text}\n`);
}
