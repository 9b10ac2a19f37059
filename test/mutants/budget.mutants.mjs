const src = (name) => `libs/budget/src/${name}.ts`;
const LIMITS = { project: 'unit', specs: [src('budget-limits.spec')] };

export const mutants = [
  {
    name: 'a limit that is no number of credits counts',
    file: src('daily-limits.service'),
    find: 'if (Number.isSafeInteger(limit) && limit >= 0) return limit;',
    replace: 'if (limit !== undefined) return limit;',
    ...LIMITS,
  },
  {
    name: 'a rule that does not answer is waited for, for ever',
    file: src('daily-limits.service'),
    find: 'return await Promise.race([said, late]);',
    replace: 'return await (late.catch(() => 0), said);',
    ...LIMITS,
  },
  {
    name: 'a rule is not told of an administrator’s limit',
    file: src('daily-limits.service'),
    find: 'this.limits.limitOf(userId, { own,',
    replace: 'this.limits.limitOf(userId, { own: undefined,',
    ...LIMITS,
  },
];
