export { fakeModelContext } from './testbed/model-context.testbed.js';
