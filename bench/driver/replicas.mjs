/** Several processes of one service, measured as one. */
export class Replicas {
  constructor(servers, storePids) {
    this.servers = servers;
    this.storePids = storePids;
  }

  get pids() {
    return this.servers.flatMap(({ pids }) => pids);
  }

  stop = () => Promise.all(this.servers.map((server) => server.stop()));
}
