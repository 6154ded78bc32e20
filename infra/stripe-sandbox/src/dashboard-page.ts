import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

const page = readFileSync(new URL('./dashboard.html', import.meta.url), 'utf8');

/** A stand-in for the part of Stripe's dashboard that refunds and disputes. The page reads the secret key from its address. */
export const dashboardPage: RequestHandler = (_req, res) => {
  res.type('html').send(page);
};
