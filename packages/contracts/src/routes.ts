import type { Route } from './route.ts';
import { accountRoutes } from './routes/accounts.ts';
import { bookingRoutes } from './routes/bookings.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { changeRoutes } from './routes/changes.ts';
import { messagingRoutes } from './routes/messaging.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { paymentRoutes } from './routes/payments.ts';

export { internalRoutes } from './routes/internal.ts';

/** The whole API: every call, who may make it, and the service that owns it. */
export const routes = {
  ...accountRoutes,
  ...catalogRoutes,
  ...bookingRoutes,
  ...changeRoutes,
  ...paymentRoutes,
  ...messagingRoutes,
  ...notificationRoutes,
} as const;

export type RouteName = keyof typeof routes;

const names = new Map<Route, string>(Object.entries(routes).map(([name, route]) => [route, name]));

/** Returns a route's key in `routes`, which is its action in the audit log. For an internal route, its method and path. */
export const routeNameOf = (route: Route): string =>
  names.get(route) ?? `${route.method} ${route.path}`;
