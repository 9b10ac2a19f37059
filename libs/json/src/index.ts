export { canonicalJson } from './canonical-json.js';
export { countJson, type JsonCounts } from './count-json.js';
export { isJsonObject, type JsonObject } from './json-object.js';
export { isNestedDeeper } from './nesting.js';
export { parseJson } from './parse-json.js';
