import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

const page = readFileSync(new URL('./dashboard.html', import.meta.url), 'utf8');

/** The page reads the secret key from its URL's fragment, which browsers don't send to servers. */
export const dashboardPage: RequestHandler = (_req, res) => {
  res.type('html').send(page);
};
