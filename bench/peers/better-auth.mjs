// better-auth with e-mail and password: sessions in node:sqlite, or in Redis with the rest in Postgres.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

const { PORT, POSTGRES_URL, REDIS_URL, SQLITE_FILE } = process.env;

const inPostgresAndRedis = () => {
  const redis = new Redis(REDIS_URL);
  return {
    database: new Pool({ connectionString: POSTGRES_URL }),
    secondaryStorage: {
      get: (key) => redis.get(key),
      set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
      delete: (key) => redis.del(key),
      getAndDelete: (key) => redis.getdel(key),
    },
  };
};

const inSqlite = () => {
  const database = new DatabaseSync(SQLITE_FILE);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return { database };
};

const options = {
  baseURL: `http://localhost:${PORT}`,
  secret: 'a-secret-of-a-bench-that-is-long-enough',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  ...(POSTGRES_URL ? inPostgresAndRedis() : inSqlite()),
};

await (await getMigrations(options)).runMigrations();
const handle = toNodeHandler(betterAuth(options));
createServer((request, response) => {
  if (request.url === '/') response.end();
  else handle(request, response);
}).listen(Number(PORT), '127.0.0.1');
