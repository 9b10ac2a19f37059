/**
 * Runs inside a new QuickJS context before anything else and keeps, in a closure, the built-ins that the
 * host needs later: whatever the code then does to `JSON` or to a prototype, these still are the real ones.
 * Its value is an object that the host alone holds.
 */
export const VM_PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { Error, String, TypeError } = globalThis;
  const { apply } = Reflect;
  const { replaceAll, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const LINE_NUMBER = /\\(code\\.js:(\\d+)/;
  const MAX_LENGTH = 16384;
  delete globalThis.SharedArrayBuffer;

  const isObject = (value) => typeof value === 'object' && value !== null;
  const cut = (text) => apply(replaceAll, apply(slice, text, [0, MAX_LENGTH]), ['\\0', '\\ufffd']);

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

  const lineOf = (thrown) => {
    try {
      return apply(exec, LINE_NUMBER, [cut(String(thrown.stack))])?.[1];
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

    toJson: (value) => {
      if (value === undefined) return 'null';
      const json = stringify(value);
      if (json === undefined) throw new TypeError('a ' + typeof value + ' has no JSON');
      return json;
    },

    describe: (thrown) => {
      const line = isObject(thrown) ? lineOf(thrown) : undefined;
      return shownSafely(thrown) + (line ? ' (line ' + line + ')' : '');
    },
  };
})()`;
