const RETURN_OUTSIDE = 'return not in a function';

/**
 * The script that QuickJS gets for code, with its lines where they were sent. `problemIn` says what keeps QuickJS
 * from compiling a script, or undefined. The script's value, as ECMA-262 has it (16.1.7), is what the code
 * returns if it has a `return` outside of its functions, else the value of the last expression that it came
 * to: in `if`, `for`, `try` and `switch` too. Code that is an object literal as a whole is that object.
 *
 * What cannot be compiled stays as it is, so that evaluating it throws for the line that was sent.
 */
export function scriptOf(code: string, problemIn: (script: string) => string | undefined): string {
  const object = `(${code}\n)`;
  if (isInBraces(code) && problemIn(object) === undefined) return object;
  const problem = problemIn(code);
  if (problem === RETURN_OUTSIDE) return `(async function (input) {${code}\n})(input)`;
  if (problem !== undefined) return code;
  // Variables of a block are quicker than those of a script. A directive would be none in a block.
  const block = `{${code}\n}`;
  return code.includes('use strict') || problemIn(block) !== undefined ? code : block;
}

function isInBraces(code: string) {
  const trimmed = code.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}');
}
