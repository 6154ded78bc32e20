import {
  createBrowserRouter,
  createMemoryRouter,
  Navigate,
  type RouteObject,
} from 'react-router-dom';
import { followHistory } from '../lib/overlay-history.ts';
import { RequireAdmin, RequireUser } from './guards.tsx';
import { RouteError } from './route-error.tsx';
import { namingFailure } from './screen-not-loaded.ts';
import { Shell } from './shell.tsx';
import type { ScreenHandle } from './tab-bar.tsx';

type Load = Extract<RouteObject['lazy'], () => unknown>;

/** `/user` and `/admin` alone lead to their dashboards. */
const start = (to: string): RouteObject => ({ index: true, element: <Navigate to={to} replace /> });

/** A screen whose code is fetched when it is first opened: its file exports `Component`. */
const screen = (path: string, lazy: Load, handle?: ScreenHandle): RouteObject => ({
  path,
  lazy: namingFailure(lazy),
  handle,
});

const home: Load = () => import('./home-page.tsx');
const login: Load = () => import('../features/account/login-page.tsx');
const tool: Load = () => import('../features/tool/tool-page.tsx');
const summary: Load = () => import('../features/cart/booking-summary-page.tsx');
const cart: Load = () => import('../features/cart/cart-page.tsx');
const moved: Load = () => import('../features/marketing/moved-page.tsx');
const notifications: Load = () => import('../features/notices/notifications-page.tsx');

/** What stands beside a member's screens; a visitor never fetches it. */
const userLayout: Load = async () => ({
  Component: (await import('./user-layout.tsx')).UserLayout,
});
const purchaseLayout: Load = async () => ({
  Component: (await import('./user-layout.tsx')).PurchaseLayout,
});
const adminLayout: Load = async () => ({
  Component: (await import('./admin-layout.tsx')).AdminLayout,
});

const publicScreens: RouteObject[] = [
  screen('/', home),
  screen('home', home),
  screen('how-it-works', () => import('../features/marketing/how-it-works-page.tsx')),
  screen('benefits', () => import('../features/marketing/benefits-page.tsx')),
  screen('create-account', () => import('../features/account/sign-up-page.tsx')),
  screen('user-login', login),
  // Where the admin guard sends those who are not admins.
  screen('user/login', login),
  screen('password-request', () => import('../features/account/password-request-page.tsx')),
  screen('reset-password', () => import('../features/account/reset-password-page.tsx')),
  screen('confirm-email', () => import('../features/account/confirm-email-page.tsx')),
  screen('rental-details', tool, { hasBottomBar: true }),
  screen('rental-booking-summary', summary),
  screen('cart', cart),
];

/** Pages of another business that once shared this address; their links must not break. */
const movedScreens: RouteObject[] = [
  'about-us',
  'services',
  'data-science',
  'service-details',
  'contact-us',
  'upstream-oil-gas-services',
  'geopressure-study',
  'reservoir-geomechanics',
  'gandg-integrated-study',
].map((path) => screen(path, moved));

/** The screens of a purchase: the sidebar stands beside them where there is width for both. */
const purchaseScreens: RouteObject[] = [
  screen('rental-details', tool, { hasBottomBar: true }),
  screen('rental-booking-summary', summary),
  screen('cart', cart),
  screen('booking-page', () => import('../features/cart/booking-page.tsx')),
  screen('rental-booking-success', () => import('../features/cart/booking-success-page.tsx')),
];

const userScreens: RouteObject[] = [
  screen('user-dashboard', () => import('../features/browse/user-dashboard-page.tsx')),
  screen('my-rentals', () => import('../features/my-tools/my-tools-page.tsx')),
  screen('add-rental', () => import('../features/my-tools/add-tool-page.tsx')),
  screen('my-tool-details', () => import('../features/my-tools/edit-tool-page.tsx')),
  screen('my-bookings', () => import('../features/bookings/my-bookings-page.tsx')),
  screen('my-bookings-details', () => import('../features/bookings/my-booking-details-page.tsx')),
  screen('my-rental-history', () => import('../features/bookings/rental-history-page.tsx')),
  screen(
    'my-rental-history-details',
    () => import('../features/bookings/rental-history-details-page.tsx'),
  ),
  screen('my-profile', () => import('../features/profile/profile-page.tsx')),
  screen('notifications', notifications),
  screen('user-reset-password', () => import('../features/profile/change-password-page.tsx')),
];

const adminScreens: RouteObject[] = [
  screen('admin-dashboard', () => import('../features/admin/admin-dashboard-page.tsx')),
  screen('add-rental-category', () => import('../features/admin/add-category-page.tsx')),
  screen('all-rental-categories', () => import('../features/admin/categories-page.tsx')),
  screen('rental-category-details', () => import('../features/admin/category-details-page.tsx')),
  screen('all-users', () => import('../features/admin/users-page.tsx')),
  screen('user-details', () => import('../features/admin/user-details-page.tsx')),
  screen('all-rental-bookings', () => import('../features/bookings/all-bookings-page.tsx')),
  screen('booking-details', () => import('../features/bookings/admin-booking-details-page.tsx')),
];

/** Any other address: within the shell, so that the top bar leads on. */
const nothingHere: RouteObject = {
  path: '*',
  element: null,
  loader: () => {
    throw new Response(null, { status: 404, statusText: 'Not Found' });
  },
};

const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <span />,
    children: [
      {
        // A screen that fails keeps the top bar, so that there is a way out.
        errorElement: <RouteError />,
        children: [
          ...publicScreens,
          ...movedScreens,
          {
            path: 'user',
            element: <RequireUser />,
            children: [
              start('user-dashboard'),
              { lazy: namingFailure(purchaseLayout), children: purchaseScreens },
              { lazy: namingFailure(userLayout), children: userScreens },
            ],
          },
          {
            path: 'admin',
            element: <RequireAdmin />,
            children: [
              start('admin-dashboard'),
              { lazy: namingFailure(adminLayout), children: adminScreens },
            ],
          },
          nothingHere,
        ],
      },
    ],
  },
];

export function createAppRouter() {
  const router = createBrowserRouter(routes);
  followHistory(router);
  return router;
}

/** The same routes without an address bar, for tests. */
export function createTestRouter(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  followHistory(router);
  return router;
}
