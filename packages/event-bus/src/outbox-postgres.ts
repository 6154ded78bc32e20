import { type Envelope, secretFields } from '@lendtools/contracts';
import {
  answerTimeoutMs,
  connectionOptions,
  faultPoint,
  type Logger,
  type Pool,
  type Transaction,
} from '@lendtools/service-kit';
import pg from 'pg';
import type { Broker } from './broker.ts';

/** Events are published once the transaction commits, and never if it rolls back. */
export const addToOutbox = async (tx: Transaction, ...events: Envelope[]): Promise<void> => {
  if (events.length === 0) return;
  await tx.query(
    `WITH added AS (
       INSERT INTO outbox_messages (id, type, aggregate_id, version, envelope)
       SELECT (e->>'id')::uuid, e->>'type', e->>'aggregateId', (e->>'version')::int, e
       FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS given (e, position) ORDER BY position
     ) SELECT pg_notify('outbox', '')`,
    [JSON.stringify(events)],
  );
};

export const oldestInOutbox = async (pool: Pool): Promise<Date | null> => {
  const { rows } = await pool.query<{ created_at: Date }>(
    `SELECT min(created_at) AS created_at FROM (
       (SELECT created_at FROM outbox_messages WHERE published_at IS NULL AND retry_at IS NULL ORDER BY position LIMIT 1)
       UNION ALL
       SELECT created_at FROM outbox_messages WHERE published_at IS NULL AND retry_at IS NOT NULL) unpublished`,
  );
  return rows[0]?.created_at ?? null;
};

const batchSize = 100;
/** Small, so that retries of failed events do not slow down new events. */
const retryBatchSize = 10;
const longestRetryDelay = "interval '30 seconds'";
const pollMs = 500;
/** How often to poll, in case a notification is lost. For a minute after a failure, polls every `pollMs` to retry events. */
const idlePollMs = 30_000;
const retriesWithinMs = 60_000;
/** The longest backoff while the database is unusable. */
const longestPauseMs = 10_000;
const statementTimeoutMs = 10_000;

interface OutboxRow {
  id: string;
  envelope: Envelope;
}

/**
 * Publishes the events in the outbox, in order. An event that the broker does not accept, for example because no queue is bound to
 * it, is retried after 1 to 30 seconds while later ones are published. One relay is active per database, because several would
 * reorder events; the active one has an advisory lock on its own connection. NOTIFY wakes it at commit, and it polls in case a
 * notification is lost. It finds rows by `published_at IS NULL`, because a cursor would skip a transaction that commits late.
 */
export class PostgresRelay {
  readonly #connectionString: string;
  readonly #broker: Broker;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  /** Events that the broker has confirmed, but that are not marked as published yet. They must not be published again. */
  #unmarked: string[] = [];
  #wake: () => void = () => {};
  #nudged = false;
  #failedAtMs = 0;
  #loop: Promise<void> | undefined;

  constructor(connectionString: string, broker: Broker, logger: Logger) {
    this.#connectionString = connectionString;
    this.#broker = broker;
    this.#logger = logger;
    broker.onReady(() => this.#nudge());
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#nudge();
    await this.#loop;
  }

  #nudge(): void {
    this.#nudged = true;
    this.#wake();
  }

  async #sleep(ms: number): Promise<void> {
    if (!this.#nudged) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#nudged = false;
  }

  async #run(): Promise<void> {
    let pauseMs = pollMs;
    while (!this.#stop.signal.aborted) {
      const startedMs = Date.now();
      const client = new pg.Client({
        // With these options, the lock is soon released if this process's host vanishes.
        ...connectionOptions(this.#connectionString),
        statement_timeout: statementTimeoutMs,
        query_timeout: answerTimeoutMs(statementTimeoutMs),
      });
      // Wakes the relay to connect again. Without a listener, an 'error' event would end the process.
      client.on('error', () => this.#nudge());
      try {
        await client.connect();
        await this.#relayWhileActive(client);
      } catch (error) {
        if (!this.#stop.signal.aborted)
          this.#logger.warn({ err: error }, 'the outbox relay starts again');
      } finally {
        await client.end().catch(() => {});
      }
      // The connection had worked, so reset the backoff.
      pauseMs = Date.now() - startedMs > longestPauseMs ? pollMs : pauseMs;
      if (!this.#stop.signal.aborted) await this.#sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  }

  async #relayWhileActive(client: pg.Client): Promise<void> {
    while (!(await tryLock(client))) {
      await this.#sleep(pollMs);
      if (this.#stop.signal.aborted) return;
    }
    client.on('notification', () => this.#nudge());
    await client.query('LISTEN outbox');
    for (;;) {
      await this.#drain(client);
      if (this.#stop.signal.aborted) return;
      const hasRetries = Date.now() - this.#failedAtMs < retriesWithinMs;
      await this.#sleep(hasRetries ? pollMs : idlePollMs);
    }
  }

  async #drain(client: pg.Client): Promise<void> {
    while (this.#broker.canPublish) {
      await this.#mark(client);
      const rows = await readBatch(client);
      if (rows.length === 0) return;
      const settled = Promise.allSettled(
        rows.map(({ envelope }) => this.#broker.publishEvent(envelope)),
      );
      await faultPoint('relay.afterPublish');
      const results = await settled;
      await faultPoint('relay.afterConfirm');
      this.#unmarked = rows
        .filter((_, i) => results[i]?.status === 'fulfilled')
        .map(({ id }) => id);
      await this.#mark(client);
      const failure = results.find((result) => result.status === 'rejected');
      if (!failure) continue;
      this.#failedAtMs = Date.now();
      const failed = rows.filter((_, i) => results[i]?.status === 'rejected').map(({ id }) => id);
      this.#logger.warn(
        { err: failure.reason, events: failed.slice(0, 10), count: failed.length },
        'events wait in the outbox',
      );
      // If the broker is unavailable, the events are not at fault, so don't postpone them.
      if (this.#broker.canPublish) await postpone(client, failed);
      if (rows.length < batchSize) return;
    }
  }

  async #mark(client: pg.Client): Promise<void> {
    if (this.#unmarked.length === 0) return;
    await client.query({
      name: 'outbox-mark',
      text: `UPDATE outbox_messages SET published_at = now(), retry_at = NULL, failures = 0,
               envelope = jsonb_set(envelope, '{data}', (envelope->'data') - $2::text[])
             WHERE id = ANY($1)`,
      values: [this.#unmarked, secretFields],
    });
    this.#unmarked = [];
  }
}

const readBatch = async (client: pg.Client): Promise<OutboxRow[]> => {
  const { rows } = await client.query<OutboxRow>({
    name: 'outbox-batch',
    text: `SELECT id, envelope FROM (
             (SELECT id, envelope, position FROM outbox_messages WHERE published_at IS NULL AND retry_at IS NULL
              ORDER BY position LIMIT ${batchSize})
             UNION ALL
             (SELECT id, envelope, position FROM outbox_messages WHERE published_at IS NULL AND retry_at <= now()
              ORDER BY retry_at LIMIT ${retryBatchSize})) batch
           ORDER BY position`,
  });
  return rows;
};

const postpone = async (client: pg.Client, ids: string[]): Promise<void> => {
  await client.query({
    name: 'outbox-postpone',
    text: `UPDATE outbox_messages SET failures = failures + 1,
             retry_at = now() + least(${longestRetryDelay}, interval '1 second' * 2 ^ least(failures, 10))
           WHERE id = ANY($1)`,
    values: [ids],
  });
};

const tryLock = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ active: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('outbox-relay')) AS active`,
  );
  return rows[0]?.active === true;
};
