import pg from 'pg';

/** Simulates a failover to a standby: ends every other session; new sessions can only read. */
export const setReadOnly = async (databaseUrl: string, isReadOnly: boolean): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = client.escapeIdentifier(client.database ?? '');
  try {
    await client.query(`BEGIN READ WRITE;
      ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'};
      COMMIT`);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );
  } finally {
    await client.end();
  }
};
