# syntax=docker/dockerfile:1

FROM node:24-slim AS build
# Compilers are for sqlite3, where its prebuilt binary cannot be had.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package but sqlite3 needs its install script to build or to run here.
RUN npm ci --ignore-scripts && npm rebuild --foreground-scripts sqlite3
COPY nest-cli.json tsconfig.json ./
COPY apps apps
COPY libs libs
# Half of TypeORM is for browsers, half of the rest for compilers and debuggers, and no page shows Swagger's interface.
RUN npm run build \
  && npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules/sqlite3/build node_modules/sqlite3/deps -type f \
    ! -path '*/Release/node_sqlite3.node' -delete \
  && rm -r node_modules/typeorm/browser node_modules/swagger-ui-dist \
  && find node_modules -type f -regex '.*\.\(map\|d\.[cm]?ts\)' -delete

FROM node:24-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  MANAGEMENT_HOST=0.0.0.0 \
  MANAGEMENT_PORT=9090
# Without a limit Node puts off collecting; docs/guides/operating.md says what it is for.
ENV NODE_OPTIONS=--max-old-space-size=512
WORKDIR /app
# The folder of DATABASE_URL's default. The variable is not set, so that DATABASE_URL_FILE may be.
RUN install --directory --owner=node --group=node --mode=700 /data && ln -s /data data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json package.json
COPY --from=build /app/dist dist
USER node
VOLUME /data
# Not the port of management: Prometheus reaches it on the container's network, and nothing publishes it.
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MANAGEMENT_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not npm: SIGTERM has to reach the server itself.
CMD ["node", "--enable-source-maps", "dist/apps/server/src/main.js", "start"]
