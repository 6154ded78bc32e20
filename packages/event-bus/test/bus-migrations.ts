import { eventBusMigrations } from '../src/index.ts';

/** The tables of the bus, and a test's own. */
export const busMigrations = (own: string) => ({ 'event-bus': eventBusMigrations, service: own });
