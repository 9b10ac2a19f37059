import { describeOnDatabases } from './grants-database.contract.js';
import { describeTokenStore } from './token-store.contract.js';

describeOnDatabases('grants and tokens', describeTokenStore);
