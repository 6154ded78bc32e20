import { type Route, routes as table } from '@lendtools/contracts';

/** The routes that the gateway forwards. Nothing else under `/api` is reachable; the owning service checks who may call. */
export const routes: readonly Route[] = Object.values(table);
