import { type Route, routes as table } from '@lendtools/contracts';

/**
 * What the system answers. Each route of the contracts' table goes to the service that owns it, which enforces who
 * may call; nothing else under `/api` is reachable from outside.
 */
export const routes: readonly Route[] = Object.values(table);
