import { VM_TO_JSON } from './vm-to-json.ts';

/**
 * Runs in a new QuickJS context before the code and keeps, in a closure, the built-ins that the host needs later:
 * these stay the original ones when the code changes `JSON` or a prototype. Its value is an object that only the
 * host can access.
 */
export const VM_PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { Error, String } = globalThis;
  const { apply } = Reflect;
  const { replaceAll, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const LINE_NUMBER = /\\bcode\\.js:(\\d+)/;
  const MAX_LENGTH = 16384;
  delete globalThis.SharedArrayBuffer;

  const isObject = (value) => typeof value === 'object' && value !== null;
  const cut = (text, length = MAX_LENGTH) =>
    apply(replaceAll, apply(slice, text, [0, length]), ['\\0', '\\ufffd']);

  const shown = (value) => {
    if (!isObject(value) || value instanceof Error) return String(value);
    return stringify(value) ?? String(value);
  };

  const shownSafely = (value) => {
    try {
      return cut(shown(value));
    } catch {
      return '[' + typeof value + ' that cannot be shown]';
    }
  };

  const lineOf = (thrown, last) => {
    try {
      const line = apply(exec, LINE_NUMBER, [cut(String(thrown.stack))])?.[1];
      return line > last ? last : line;
    } catch {
      return undefined;
    }
  };

  return {
    parse,

    provideConsole: (emit) => {
      const log = (...values) => {
        let line = '';
        for (let index = 0; index < values.length && line.length < MAX_LENGTH; index += 1) {
          line += (index === 0 ? '' : ' ') + shownSafely(values[index]);
        }
        emit(line);
      };
      globalThis.console = { log, info: log, warn: log, error: log, debug: log };
    },

    // Of a script's promise. A value that is a promise is awaited too, without a look at its \`then\`.
    valueOf: async (completion) => await (await completion).value,

    toJson: ${VM_TO_JSON},

    describe: (thrown, lastLine) => {
      const line = isObject(thrown) ? lineOf(thrown, lastLine) : undefined;
      return shownSafely(thrown) + (line ? ' (line ' + line + ')' : '');
    },
  };
})()`;
