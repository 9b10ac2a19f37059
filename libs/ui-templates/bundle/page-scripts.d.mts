/** JavaScript: a function expression that takes the texts of the script, and starts the page. */
export declare const signIn: string;
export declare const consent: string;
export declare const request: string;
export declare const app: string;
export declare const account: string;
export declare const recover: string;
export declare const localTimes: string;
/** A module without imports, one that starts its bridge, and its declarations. */
export declare const pageClient: string;
export declare const pageBridge: string;
export declare const pageClientTypes: string;
