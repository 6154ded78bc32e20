import { eventBusMigrations } from '../src/index.ts';

export const busMigrations = (own: string) => ({ 'event-bus': eventBusMigrations, service: own });
