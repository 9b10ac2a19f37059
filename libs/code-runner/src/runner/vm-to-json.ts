/**
 * Part of the prelude: a function that returns the JSON text of a value, and as `remarks` the first few sentences
 * about what JSON cannot express of it; empty when there is nothing. A value that JSON cannot express becomes null.
 * It throws what a `toJSON`, a getter or a proxy of the code throws.
 */
export const VM_TO_JSON = `(() => {
  const { isArray } = Array;
  const { isFinite } = Number;
  const { getPrototypeOf, prototype: plain } = Object;
  const { TypeError } = globalThis;
  const { iterator } = Symbol;
  const MAX_REMARKS = 4;
  const MAX_NAME_LENGTH = 60;
  const MAX_DIGITS = 10n ** 60n;
  const NO_VALUE = 'The code gave no value: end it with an expression, or use return.';
  const CIRCULAR = 'The value contains itself, which JSON cannot say.';

  const instanceOf = (value) => {
    try {
      const prototype = getPrototypeOf(value);
      if (prototype === null || prototype === plain) return undefined;
      const name = cut(String(prototype.constructor.name), MAX_NAME_LENGTH) || 'a class';
      const advice = typeof value[iterator] === 'function' ? '; [...it] lists what it holds' : '';
      return 'an instance of ' + name + ', of which JSON has the own members alone' + advice;
    } catch {
      return undefined;
    }
  };

  const named = (key) => stringify(cut(key, MAX_NAME_LENGTH));

  const shownBigInt = (value) =>
    value > -MAX_DIGITS && value < MAX_DIGITS ? 'the bigint ' + String(value) : 'a bigint';

  const lost = (value) => {
    switch (typeof value) {
      case 'number': return isFinite(value) ? undefined : String(value);
      case 'bigint': return shownBigInt(value);
      case 'symbol': return 'the symbol ' + cut(String(value), MAX_NAME_LENGTH);
      case 'function': return 'a function';
      default: return undefined;
    }
  };

  const problemOf = (value) => {
    if (isObject(value)) return isArray(value) ? undefined : instanceOf(value);
    const what = lost(value);
    return what && what + ', which JSON does not have';
  };

  return (value) => {
    let remarks = value === undefined ? NO_VALUE : '';
    let count = 0;
    let isWhole = true;
    const remark = (subject, problem) => {
      count += 1;
      remarks += (count === 1 ? '' : ' ') + subject + ' is ' + problem + '.';
      if (count === MAX_REMARKS) remarks += ' There may be more of this kind.';
    };
    const replacer = (key, member) => {
      const problem = count < MAX_REMARKS ? problemOf(member) : undefined;
      if (problem) remark(isWhole ? 'The value' : 'Its member ' + named(key), problem);
      isWhole = false;
      return typeof member === 'bigint' ? null : member;
    };
    try {
      return { json: stringify(value, replacer) ?? 'null', remarks };
    } catch (error) {
      if (!(error instanceof TypeError) || error.message !== 'circular reference') throw error;
      return { json: 'null', remarks: CIRCULAR };
    }
  };
})()`;
