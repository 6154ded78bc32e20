import type { AdminAct, ServiceName } from '@lendtools/contracts';
import { addToOutbox, type MongoRelay, newEvent } from '@lendtools/event-bus';
import { type AuditLog, inTransaction, type Pool, type Purge } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

const eventTypes = {
  catalog: 'AdminActedInCatalog',
  bookings: 'AdminActedInBookings',
  payments: 'AdminActedInPayments',
  messaging: 'AdminActedInMessaging',
} as const;

type Recording = keyof typeof eventTypes;

export const isRecording = (service: ServiceName): service is Recording => service in eventTypes;

const eventOf = (service: Recording, act: AdminAct) =>
  newEvent(eventTypes[service], { id: act.id, version: 1 }, act);

/** Publishes acts of admins through the outbox; accounts stores them. */
export const postgresAuditLog = (service: Recording, pool: Pool): AuditLog => ({
  async add(act, tx) {
    const event = eventOf(service, act);
    if (tx) await addToOutbox(tx, event);
    else await inTransaction(pool, (own) => addToOutbox(own, event));
  },
});

/** The collection of events about acts of admins, until they are published. */
export const adminActs = 'admin_acts';

interface StoredAct {
  _id: string;
  pending: ReturnType<typeof eventOf>[];
  createdAt: Date;
}

export const mongoAuditLog = (
  service: Recording,
  { connection, relay }: { connection: Connection; relay: MongoRelay },
): AuditLog => ({
  async add(act) {
    const stored = { _id: act.id, pending: [eventOf(service, act)], createdAt: new Date() };
    await connection.collection<StoredAct>(adminActs).insertOne(stored);
    void relay.publish(adminActs, stored);
  },
});

/** A restore publishes the events of three days again, if their document is still there. */
const keepActsMs = 4 * 86_400_000;

export const purgeAdminActs =
  (connection: Connection): Purge =>
  async () => {
    const before = new Date(Date.now() - keepActsMs);
    const { deletedCount } = await connection
      .collection<StoredAct>(adminActs)
      .deleteMany({ createdAt: { $lt: before }, 'pending.id': { $exists: false } });
    return deletedCount;
  };
