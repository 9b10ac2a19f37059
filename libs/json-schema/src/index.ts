export { type Dialect, dialectOf } from './dialects.js';
export { misfitIn } from './json-schema.js';
export { isSchema, type Misfit, type Path, type Schema } from './misfit.js';
export { misfitText } from './misfit-text.js';
export { shortList } from './short-text.js';
export { schemaFault } from './schema-fault.js';
export { namesAtRoot } from './names-at-root.js';
