import { type Route, routes as table } from '@lendtools/contracts';

/** The gateway's routes. No other path under `/api` is reachable; the owning service checks who may call a route. */
export const routes: readonly Route[] = Object.values(table);
