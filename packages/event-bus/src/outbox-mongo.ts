import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Envelope, EventType } from '@lendtools/contracts';
import { faultPoint, isDuplicateKey, type Logger, repeat } from '@lendtools/service-kit';
import type { Connection, mongo } from 'mongoose';
import type { Broker } from './broker.ts';
import { hasSubscriber, wholeTopology } from './topology.ts';

/** A document that carries the events of its own changes until they are published. */
interface WithPending {
  _id: string;
  pending: Envelope[];
}

/** A published event, and whose `pending` it was in. */
interface Published {
  document: string;
  event: Envelope;
}

/** What waits to be marked as published, and the end of that: what comes while one is under way shares the next. */
interface Marks {
  next: { published: Published[]; written: Promise<void> } | undefined;
  last: Promise<void>;
}

const sweepMs = 500;
/** Also the pause after a sweep in which an event failed, for example because no queue is bound to it. */
const idleSweepMs = 5_000;
const sweepSize = 100;
const leaseMs = 5_000;
/** Nobody waits for a mark: it waits for others, so that a busy minute makes few writes of them. */
const markAfterMs = 50;

/**
 * The indexes by which the sweep finds its documents and the oldest of them; a service creates both for each of its
 * outboxes.
 */
export const pendingIndexes = [
  { key: { 'pending.id': 1 }, name: 'pending', sparse: true },
  { key: { 'pending.occurredAt': 1 }, name: 'pending_since', sparse: true },
] as const;

const publishedEvents = 'published_events';
const publishedDays = 3;

/** A service whose events are consumed from queues creates it with its indexes. */
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
 * Notes what a queue was given, as the outbox of PostgreSQL does: the broker has no backup, so after a restore these go
 * out again. What nobody's queue takes, such as a push to open tabs, would be late then.
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
      // Noted by a process that died before it took the event off its document.
      if (!isDuplicateKey(error)) throw error;
    });
};

/** After a restore, before a relay starts: what the backup knows as published waits again. */
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
 * Publishes the events that documents carry in `pending`, and pulls them off once the broker has them. The write of
 * the document is the commit. Whoever wrote publishes at once with `publish`; a sweep by one replica at a time (a
 * lease) finds what a crash or a broker's absence left behind. It looks twice a second after a start, a new
 * connection or a failure, else every five seconds, for what another replica's crash left: an idle service is idle.
 */
export class MongoRelay {
  readonly #connection: Connection;
  readonly #collections: string[];
  readonly #broker: Broker;
  readonly #logger: Logger;
  readonly #holder = randomUUID();
  readonly #underWay = new Set<Promise<void>>();
  readonly #marks = new Map<string, Marks>();
  /** The ids of events on their way to the broker, or to their mark: the sweep leaves them to whoever publishes them. */
  readonly #onTheirWay = new Set<string>();
  #sweeper: { stop(): Promise<void> } | undefined;
  #behind = true;
  #sweptAtMs = 0;
  /** Where the next sweep continues in each collection: documents that failed must not keep it from those behind them. */
  readonly #sweptTo = new Map<string, string>();
  /** Since the sweep began with the first documents. */
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
    // What is published meanwhile is marked as well.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /**
   * Publishes one document's events now, and marks them behind it; what fails is left to the sweep, so this never throws.
   */
  publish(collection: string, document: WithPending): Promise<void> {
    return this.#leavingTheRest(collection, async () => {
      for (const event of document.pending) {
        if (this.#onTheirWay.has(event.id)) continue;
        if (!this.#broker.canPublish) {
          this.#behind = true;
          return;
        }
        this.#onTheirWay.add(event.id);
        const arrived = () => void this.#onTheirWay.delete(event.id);
        try {
          await this.#broker.publishEvent(event);
          await faultPoint('relay.afterConfirm');
        } catch (error) {
          arrived();
          throw error;
        }
        const published = { document: document._id, event };
        void this.#leavingTheRest(collection, () =>
          this.#markPublished(collection, published).finally(arrived),
        );
      }
    });
  }

  /** Does what `stop` waits for; what fails is left to the sweep. */
  #leavingTheRest(collection: string, work: () => Promise<void>): Promise<void> {
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
    // Younger ones are being published by the replica that wrote them.
    if (waiting.length > 0 || this.#sweptTo.has(name)) this.#behind = true;
    const last = waiting.length === sweepSize ? waiting.at(-1) : undefined;
    if (last) this.#sweptTo.set(name, last._id);
    else this.#sweptTo.delete(name);
    const old = Date.now() - sweepMs;
    for (const document of waiting) {
      if (document.pending.some((event) => Date.parse(event.occurredAt) < old))
        await this.publish(name, document);
    }
    // Otherwise the next sweep finds them again.
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
      // Another replica holds it: the upsert found no match and its insert met the other's document.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

/** When the event that has waited longest to be published happened; null if none waits. */
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
