import { eventBusMigrations } from '../src/index.ts';

/** The bus's migrations and a test's own. */
export const busMigrations = (own: string) => ({ 'event-bus': eventBusMigrations, service: own });
