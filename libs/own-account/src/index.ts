export { type Activity, ActivityReader } from './activity/activity-reader.js';
export { OwnAccountModule } from './own-account.module.js';
