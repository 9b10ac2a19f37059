import { describeOnDatabases } from './grants-database.testbed.js';
import { describeTokenStore } from './token-store.contract.js';

describeOnDatabases('grants and tokens', describeTokenStore);
