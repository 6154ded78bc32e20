import { type Metrics, measureConnections } from '@lendtools/service-kit';
import type { Connection } from 'mongoose';

/** Counts connections by the driver's events, because the driver has no such count. */
export const measureMongoPool = (metrics: Metrics, connection: Connection): void => {
  const client = connection.getClient();
  let [used, pending] = [0, 0];
  client.on('connectionCheckOutStarted', () => pending++);
  client.on('connectionCheckOutFailed', () => pending--);
  client.on('connectionCheckedOut', () => {
    pending--;
    used++;
  });
  client.on('connectionCheckedIn', () => used--);
  measureConnections(metrics, () => ({
    used,
    pending,
    max: client.options.maxPoolSize,
  }));
};
