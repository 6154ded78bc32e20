import { fileURLToPath } from 'node:url';

export * from './broker.ts';
export * from './broker-users.ts';
export * from './consumer.ts';
export * from './dead-letters.ts';
export * from './declare.ts';
export * from './event-bus-metrics.ts';
export * from './insert-new.ts';
export * from './keep-newest.ts';
export * from './new-event.ts';
export * from './on-connection.ts';
export * from './outbox-mongo.ts';
export * from './outbox-postgres.ts';
export * from './purge-messages.ts';
export * from './replica-queue.ts';
export * from './set-up-broker.ts';
export * from './topology.ts';

export const eventBusMigrations = fileURLToPath(new URL('../migrations/', import.meta.url));
