/** Whether a URL's hostname means this very machine: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export const isLoopbackHostname = (hostname: string) =>
  hostname === '[::1]' ||
  /^(.+\.)?localhost$/.test(hostname) ||
  /^127(\.\d{1,3}){3}$/.test(hostname);
