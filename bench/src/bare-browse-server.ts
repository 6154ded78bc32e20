import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

/** Serves a page of stored JSON with only Express and pg, as a baseline. The argument is the database's URL. */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const app = express();
app.get('/page', async (_request, response) => {
  const { rows } = await pool.query<{ json: string }>({
    name: 'page',
    text: 'SELECT json FROM bare_tools ORDER BY id DESC LIMIT 24',
  });
  const tools = rows.map(({ json }) => json).join(',');
  response.type('application/json').send(`{"rentals":[${tools}],"nextCursor":null}`);
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
