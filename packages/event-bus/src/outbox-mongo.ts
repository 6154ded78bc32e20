import { randomUUID } from 'node:crypto';
import type { Envelope } from '@lendtools/contracts';
import { faultPoint, isDuplicateKey, type Logger, repeat } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';
import type { Broker } from './broker.ts';

/** A document that carries the events of its own changes until they are published. */
interface WithPending {
  _id: string;
  pending: Envelope[];
}

/** What waits to be marked as published, and the end of that: what comes while one is under way shares the next. */
interface Marks {
  next: { documents: string[]; events: string[]; written: Promise<void> } | undefined;
  last: Promise<void>;
}

const sweepMs = 500;
const idleSweepMs = 5_000;
const leaseMs = 5_000;

/**
 * The indexes by which the sweep finds its documents and the oldest of them; a service creates both for each of its
 * outboxes.
 */
export const pendingIndexes = [
  { key: { 'pending.id': 1 }, name: 'pending', sparse: true },
  { key: { 'pending.occurredAt': 1 }, name: 'pending_since', sparse: true },
] as const;

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
  #sweeper: { stop(): Promise<void> } | undefined;
  #behind = true;
  #sweptAtMs = 0;

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
    await Promise.all(this.#underWay);
  }

  /** Publishes one document's events now; what fails is left to the sweep, so this never throws. */
  publish(collection: string, document: WithPending): Promise<void> {
    const work = this.#publish(collection, document);
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  async #publish(collection: string, document: WithPending): Promise<void> {
    try {
      for (const event of document.pending) {
        if (!this.#broker.canPublish) {
          this.#behind = true;
          return;
        }
        await this.#broker.publishEvent(event);
        await faultPoint('relay.afterConfirm');
        await this.#markPublished(collection, document._id, event.id);
      }
    } catch (error) {
      this.#behind = true;
      this.#logger.warn({ err: error, collection }, 'events wait in the outbox');
    }
  }

  #markPublished(collection: string, document: string, event: string): Promise<void> {
    const marks = this.#marks.get(collection) ?? { next: undefined, last: Promise.resolve() };
    this.#marks.set(collection, marks);
    if (!marks.next) {
      const next = { documents: [] as string[], events: [] as string[] };
      const written = marks.last.then(async () => {
        marks.next = undefined;
        await this.#connection
          .collection<WithPending>(collection)
          .updateMany(
            { _id: { $in: next.documents } },
            { $pull: { pending: { id: { $in: next.events } } } },
          );
      });
      marks.next = { ...next, written };
      marks.last = written.catch(() => {});
    }
    marks.next.documents.push(document);
    marks.next.events.push(event);
    return marks.next.written;
  }

  async #sweep(): Promise<void> {
    if (!this.#behind && Date.now() - this.#sweptAtMs < idleSweepMs) return;
    if (!this.#broker.canPublish || !(await this.#holdLease())) return;
    this.#behind = false;
    this.#sweptAtMs = Date.now();
    for (const name of this.#collections) {
      const waiting = await this.#connection
        .collection<WithPending>(name)
        .find({ 'pending.id': { $exists: true } }, { projection: { pending: 1 } })
        .sort({ _id: 1 })
        .limit(100)
        .toArray();
      // Younger ones are being published by whoever wrote them.
      if (waiting.length > 0) this.#behind = true;
      const old = Date.now() - sweepMs;
      for (const document of waiting) {
        if (document.pending.some((event) => Date.parse(event.occurredAt) < old))
          await this.publish(name, document);
      }
    }
  }

  /** When the event that has waited longest to be published happened; null if none waits. */
  async oldestPending(): Promise<Date | null> {
    const times = await Promise.all(
      this.#collections.map(async (name) => {
        const oldest = await this.#connection
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
