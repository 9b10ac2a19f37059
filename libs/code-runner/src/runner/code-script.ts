const RETURN_OUTSIDE = 'return not in a function';

/**
 * The script that QuickJS gets for the code, with its line numbers kept. `problemIn` returns why QuickJS cannot
 * compile a script, or undefined. The script's value, as ECMA-262 defines it (16.1.7), is what the code returns if
 * it has a `return` outside of its functions, otherwise the value of the last expression that it evaluated: in
 * `if`, `for`, `try` and `switch` too. Code that is one object literal gives that object.
 *
 * Code that cannot be compiled stays unchanged, so that evaluating it throws for the line as it was sent.
 */
export function scriptOf(code: string, problemIn: (script: string) => string | undefined): string {
  const object = `(${code}\n)`;
  if (isInBraces(code) && problemIn(object) === undefined) return object;
  const problem = problemIn(code);
  if (problem === RETURN_OUTSIDE) return `(async function (input) {${code}\n})(input)`;
  if (problem !== undefined) return code;
  // Variables of a block are faster than those of a script. In a block a directive would have no effect.
  const block = `{${code}\n}`;
  return code.includes('use strict') || problemIn(block) !== undefined ? code : block;
}

function isInBraces(code: string) {
  const trimmed = code.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}');
}
