import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Envelope, EventType } from '@lendtools/contracts';
import { faultPoint, isDuplicateKey, type Logger, repeat } from '@lendtools/service-kit';
import type { Connection, mongo } from 'mongoose';
import type { Broker } from './broker.ts';
import { hasSubscriber, wholeTopology } from './topology.ts';

/** A document contains the events of its own changes until they are published. */
interface WithPending {
  _id: string;
  pending: Envelope[];
}

interface Published {
  document: string;
  event: Envelope;
}

/** The batches that mark events as published. Events that arrive while a batch is written go into the next one. */
interface Marks {
  next: { published: Published[]; written: Promise<void> } | undefined;
  last: Promise<void>;
}

const sweepMs = 500;
/** The pause between sweeps of an idle relay, and after a sweep in which an event failed, for example because it has no queue. */
const idleSweepMs = 5_000;
const sweepSize = 100;
const leaseMs = 5_000;
/** Marking events as published is not urgent, so it is delayed to batch several into one write. */
const markAfterMs = 50;

/** Indexes for the sweep and for the oldest event's age. A service creates both for each collection with `pending`. */
export const pendingIndexes = [
  { key: { 'pending.id': 1 }, name: 'pending', sparse: true },
  { key: { 'pending.occurredAt': 1 }, name: 'pending_since', sparse: true },
] as const;

const publishedEvents = 'published_events';
const publishedDays = 3;

/** The index that expires recorded events. Only services whose events are bound to queues need it. */
export const publishedEventsIndex = {
  collection: publishedEvents,
  indexes: [{ key: { publishedAt: 1 }, expireAfterSeconds: publishedDays * 86_400 }],
} as const;

interface PublishedEvent {
  _id: string;
  collection: string;
  document: string;
  event: Envelope;
  publishedAt: Date;
}

/**
 * Records events that went to a queue, as the PostgreSQL outbox does. The broker has no backup, so these events are published again
 * after a restore. Events without a queue, such as pushes to open tabs, are not recorded, because they would be outdated by then.
 */
const notePublished = async (
  connection: Connection,
  collection: string,
  published: Published[],
): Promise<void> => {
  const publishedAt = new Date();
  const notes = published
    .filter(({ event }) => hasSubscriber(wholeTopology, event.type as EventType))
    .map(({ document, event }) => ({ _id: event.id, collection, document, event, publishedAt }));
  if (notes.length === 0) return;
  await connection
    .collection<PublishedEvent>(publishedEvents)
    .insertMany(notes, { ordered: false })
    .catch((error) => {
      // A process has already recorded the event, and died before it removed the event from its document.
      if (!isDuplicateKey(error)) throw error;
    });
};

/** Call this after a restore and before a relay starts. Makes the published events of the backup pending again. */
export const publishAgainInMongo = async (db: mongo.Db): Promise<void> => {
  const notes = db.collection<PublishedEvent>(publishedEvents);
  for await (const { _id, collection, document, event } of notes.find()) {
    const isWaiting = { $ne: _id };
    await db
      .collection<WithPending>(collection)
      .updateOne({ _id: document, 'pending.id': isWaiting }, { $push: { pending: event } });
  }
  await notes.deleteMany({});
};

/**
 * Publishes the events in `pending`, and removes them once the broker has confirmed them. Writing the document is the commit. The
 * writer calls `publish` at once; a sweep by one replica at a time (a lease) publishes what a crash or an outage left behind. The
 * sweep runs twice a second after a start, a reconnect or a failure, otherwise every five seconds, so that an idle service stays
 * idle.
 */
export class MongoRelay {
  readonly #connection: Connection;
  readonly #collections: string[];
  readonly #broker: Broker;
  readonly #logger: Logger;
  readonly #holder = randomUUID();
  readonly #underWay = new Set<Promise<void>>();
  readonly #marks = new Map<string, Marks>();
  /** Events that are being published or marked here; the sweep skips them. */
  readonly #inFlight = new Set<string>();
  #sweeper: { stop(): Promise<void> } | undefined;
  #behind = true;
  #sweptAtMs = 0;
  /** Where the next sweep continues in each collection, so that failing documents do not block later ones. */
  readonly #sweptTo = new Map<string, string>();
  /** Failures since the sweep started at the first document. */
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(options: {
    connection: Connection;
    collections: string[];
    broker: Broker;
    logger: Logger;
  }) {
    this.#connection = options.connection;
    this.#collections = options.collections;
    this.#broker = options.broker;
    this.#logger = options.logger;
    options.broker.onReady(() => {
      this.#behind = true;
      this.#pausedUntilMs = 0;
    });
  }

  start(): void {
    this.#sweeper ??= repeat(
      sweepMs,
      () => this.#sweep(),
      (error) => this.#logger.warn({ err: error }, 'the outbox sweep failed'),
    );
  }

  async stop(): Promise<void> {
    await this.#sweeper?.stop();
    // Loop, because publishing an event starts further work: marking the event as published.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Publishes a document's events now, and marks them as published in the background. Never throws: the sweep retries failures. */
  publish(collection: string, document: WithPending): Promise<void> {
    return this.#runInBackground(collection, async () => {
      for (const event of document.pending) {
        if (this.#inFlight.has(event.id)) continue;
        if (!this.#broker.canPublish) {
          this.#behind = true;
          return;
        }
        this.#inFlight.add(event.id);
        const arrived = () => void this.#inFlight.delete(event.id);
        try {
          await this.#broker.publishEvent(event);
          await faultPoint('relay.afterConfirm');
        } catch (error) {
          arrived();
          throw error;
        }
        const published = { document: document._id, event };
        void this.#runInBackground(collection, () =>
          this.#markPublished(collection, published).finally(arrived),
        );
      }
    });
  }

  /** Runs work that `stop` waits for. If the work fails, the sweep retries it. */
  #runInBackground(collection: string, work: () => Promise<void>): Promise<void> {
    const done = work()
      .catch((error: unknown) => {
        this.#behind = true;
        this.#failures++;
        this.#logger.warn({ err: error, collection }, 'events wait in the outbox');
      })
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return done;
  }

  #markPublished(collection: string, published: Published): Promise<void> {
    const marks = this.#marks.get(collection) ?? { next: undefined, last: Promise.resolve() };
    this.#marks.set(collection, marks);
    if (!marks.next) {
      const batch: Published[] = [];
      const written = marks.last.then(async () => {
        await delay(markAfterMs);
        marks.next = undefined;
        await notePublished(this.#connection, collection, batch);
        await this.#connection
          .collection<WithPending>(collection)
          .updateMany(
            { _id: { $in: batch.map(({ document }) => document) } },
            { $pull: { pending: { id: { $in: batch.map(({ event }) => event.id) } } } },
          );
      });
      marks.next = { published: batch, written };
      marks.last = written.catch(() => {});
    }
    marks.next.published.push(published);
    return marks.next.written;
  }

  async #sweep(): Promise<void> {
    const now = Date.now();
    if (now < this.#pausedUntilMs) return;
    if (!this.#behind && now - this.#sweptAtMs < idleSweepMs) return;
    if (!this.#broker.canPublish || !(await this.#holdLease())) return;
    this.#behind = false;
    this.#sweptAtMs = now;
    for (const name of this.#collections) await this.#sweepPage(name);
    const isOver = this.#sweptTo.size === 0;
    if (isOver && this.#failures > 0) this.#pausedUntilMs = now + idleSweepMs;
    if (isOver) this.#failures = 0;
  }

  async #sweepPage(name: string): Promise<void> {
    const waiting = await this.#connection
      .collection<WithPending>(name)
      .find(
        { 'pending.id': { $exists: true }, _id: { $gt: this.#sweptTo.get(name) ?? '' } },
        { projection: { pending: 1 } },
      )
      .sort({ _id: 1 })
      .limit(sweepSize)
      .toArray();
    // Sweep again soon, even if all these events are recent: the replica that wrote them may fail to publish them.
    if (waiting.length > 0 || this.#sweptTo.has(name)) this.#behind = true;
    const last = waiting.length === sweepSize ? waiting.at(-1) : undefined;
    if (last) this.#sweptTo.set(name, last._id);
    else this.#sweptTo.delete(name);
    const old = Date.now() - sweepMs;
    for (const document of waiting) {
      if (document.pending.some((event) => Date.parse(event.occurredAt) < old))
        await this.publish(name, document);
    }
    // Wait until these events are marked, because otherwise the next sweep finds them again.
    await this.#marks.get(name)?.last;
  }

  oldestPending(): Promise<Date | null> {
    return oldestPending(this.#connection, this.#collections);
  }

  async #holdLease(): Promise<boolean> {
    const now = Date.now();
    try {
      const lease = await this.#connection
        .collection<{ _id: string; holder: string; until: number }>('leases')
        .findOneAndUpdate(
          { _id: 'outbox-relay', $or: [{ holder: this.#holder }, { until: { $lt: now } }] },
          { $set: { holder: this.#holder, until: now + leaseMs } },
          { upsert: true, returnDocument: 'after' },
        );
      return lease?.holder === this.#holder;
    } catch (error) {
      // The upsert found no match, because another replica has the lease.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

export const oldestPending = async (
  connection: Connection,
  collections: readonly string[],
): Promise<Date | null> => {
  const times = await Promise.all(
    collections.map(async (name) => {
      const oldest = await connection
        .collection<WithPending>(name)
        .find({ 'pending.occurredAt': { $gt: '' } }, { projection: { pending: 1 } })
        .sort({ 'pending.occurredAt': 1 })
        .limit(1)
        .next();
      return oldest?.pending[0]?.occurredAt;
    }),
  );
  const [first] = times.filter((time) => time !== undefined).sort();
  return first === undefined ? null : new Date(first);
};
