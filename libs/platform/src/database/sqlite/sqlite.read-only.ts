import sqlite3 from 'sqlite3';

/** The rows of one statement, from an existing file; neither creates nor changes anything. */
export async function readSqliteFile(path: string, sql: string): Promise<unknown[]> {
  const database = await openReadOnly(path);
  try {
    return await new Promise((resolve, reject) => {
      database.all(sql, (error, rows) => {
        if (error) reject(error);
        else resolve(rows);
      });
    });
  } finally {
    database.close();
  }
}

function openReadOnly(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error) reject(error);
      else resolve(database);
    });
  });
}
