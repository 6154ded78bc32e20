import { createHash } from 'node:crypto';
import { skipAct } from './audit.ts';
import { inTransaction, type Pool, type Transaction } from './database.ts';
import { AppError, tooManyRequests } from './errors.ts';

/** Limits the keys per caller and route, because a client may send a new key with each request. */
const maxKeys = 5_000;

/**
 * Runs the work once per caller, route and `Idempotency-Key`. A repeated request gets the first reply; a concurrent one
 * waits for it. The key is stored in the transaction of the work.
 * @throws AppError 422 if the key was used for another request, 429 if the caller has used too many keys
 */
export const once = async <T>(
  pool: Pool,
  request: { key: string | undefined; scope: string; route: string; content: unknown },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(pool, async (tx) => {
    const { key, scope, route } = request;
    if (key === undefined) return work(tx);
    const fingerprint = createHash('sha256').update(JSON.stringify(request.content)).digest('hex');
    const inserted = await tx.query(
      `INSERT INTO idempotency_keys (scope, route, key, fingerprint) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [scope, route, key, fingerprint],
    );
    if (inserted.rowCount === 0) return repeatedReply<T>(tx, request, fingerprint);
    await rejectTooManyKeys(tx, scope, route);
    const reply = await work(tx);
    await tx.query(
      'UPDATE idempotency_keys SET reply = $4 WHERE scope = $1 AND route = $2 AND key = $3',
      [scope, route, key, JSON.stringify(reply)],
    );
    return reply;
  });

const rejectTooManyKeys = async (tx: Transaction, scope: string, route: string): Promise<void> => {
  const { rowCount } = await tx.query(
    'SELECT FROM idempotency_keys WHERE scope = $1 AND route = $2 OFFSET $3 LIMIT 1',
    [scope, route, maxKeys],
  );
  if (rowCount !== 0)
    throw tooManyRequests(3_600, 'You have sent thousands of requests of this kind.');
};

const repeatedReply = async <T>(
  tx: Transaction,
  { scope, route, key }: { scope: string; route: string; key: string | undefined },
  fingerprint: string,
): Promise<T> => {
  const { rows } = await tx.query<{ fingerprint: string; reply: T }>(
    'SELECT fingerprint, reply FROM idempotency_keys WHERE scope = $1 AND route = $2 AND key = $3',
    [scope, route, key],
  );
  const [first] = rows;
  if (!first || first.fingerprint !== fingerprint) {
    throw new AppError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was already used for another request.',
    );
  }
  skipAct();
  return first.reply;
};
