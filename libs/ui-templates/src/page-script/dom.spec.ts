import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const DOM = fileURLToPath(new URL('dom.ts', import.meta.url));
const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));

/** The errors that TypeScript reports for a file beside dom.ts with the real DOM types. */
function complaints(source: string) {
  const options: ts.CompilerOptions = {
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === PROBE || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === PROBE
      ? ts.createSourceFile(path, source, ts.ScriptTarget.ES2023)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([DOM, PROBE], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the DOM that the page script is written against', () => {
  it('is part of the real one', () => {
    const source = `
      import type { PageControl, PageDocument, PageElement, PageLocation, PageNavigator, PageWindow } from './dom.js';
      export const all: [PageDocument, PageLocation, PageNavigator] = [document, location, navigator];
      export const own: PageWindow = window;
      export const element = (real: HTMLElement): PageElement => real;
      export const control = (real: HTMLInputElement): PageControl => real;`;
    expect(complaints(source)).toEqual([]);
  });

  it('would be found out if it were not', () => {
    const source = `
      import type { PageControl } from './dom.js';
      export const control = (real: HTMLElement): PageControl => real;`;
    expect(complaints(source)).toEqual([expect.stringMatching(/not assignable|missing/)]);
  });
});
