import * as paths from '@lendtools/contracts/pages';
import type { ComponentType } from 'react';
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
type LoadPage = () => Promise<{ default: ComponentType }>;

function start(to: string): RouteObject {
  return { index: true, element: <Navigate to={to} replace /> };
}

function screen(path: string, load: LoadPage, handle?: ScreenHandle): RouteObject {
  return {
    path,
    lazy: namingFailure(async () => ({ Component: (await load()).default })),
    handle,
  };
}

const home: LoadPage = () => import('./home-page.tsx');
const login: LoadPage = () => import('../features/account/login-page.tsx');
const tool: LoadPage = () => import('../features/tool/tool-page.tsx');
const summary: LoadPage = () => import('../features/cart/booking-summary-page.tsx');
const cart: LoadPage = () => import('../features/cart/cart-page.tsx');
const moved: LoadPage = () => import('../features/marketing/moved-page.tsx');
const notifications: LoadPage = () => import('../features/notices/notifications-page.tsx');

/** The layout of the member pages, loaded lazily because visitors never need it. */
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
  screen(paths.home, home),
  screen(paths.browse, home),
  screen(paths.howItWorks, () => import('../features/marketing/how-it-works-page.tsx')),
  screen(paths.benefits, () => import('../features/marketing/benefits-page.tsx')),
  screen(paths.signUp, () => import('../features/account/sign-up-page.tsx')),
  screen(paths.login, login),
  screen(paths.adminLogin, login),
  screen(paths.passwordRequest, () => import('../features/account/password-request-page.tsx')),
  screen(paths.resetPassword, () => import('../features/account/reset-password-page.tsx')),
  screen(paths.confirmEmail, () => import('../features/account/confirm-email-page.tsx')),
  screen(paths.undoEmailChange, () => import('../features/account/undo-email-change-page.tsx')),
  screen(paths.unsubscribe, () => import('../features/account/unsubscribe-page.tsx')),
  screen(paths.appeal, () => import('../features/account/appeal-page.tsx')),
  screen(paths.tool, tool, { hasBottomBar: true }),
  screen(paths.person, () => import('../features/person/person-page.tsx')),
  screen(paths.bookingSummary, summary),
  screen(paths.cart, cart),
];

const movedScreens = paths.moved.map((path) => screen(path, moved));

const purchaseScreens: RouteObject[] = [
  screen(paths.memberTool, tool, { hasBottomBar: true }),
  screen(paths.memberBookingSummary, summary),
  screen(paths.memberCart, cart),
  screen(paths.booking, () => import('../features/cart/booking-page.tsx')),
  screen(paths.changeBooking, () => import('../features/cart/change-booking-page.tsx')),
  screen(paths.bookingSuccess, () => import('../features/cart/booking-success-page.tsx')),
];

const userScreens: RouteObject[] = [
  screen(paths.dashboard, () => import('./dashboard-page.tsx')),
  screen(paths.savedTools, () => import('../features/saved-tools/saved-tools-page.tsx')),
  screen(paths.myTools, () => import('../features/my-tools/my-tools-page.tsx')),
  screen(paths.myCalendar, () => import('../features/my-tools/my-calendar-page.tsx')),
  screen(paths.getPaid, () => import('../features/payouts/get-paid-page.tsx')),
  screen(paths.earnings, () => import('../features/payouts/earnings-page.tsx')),
  screen(paths.addTool, () => import('../features/my-tools/add-tool-page.tsx')),
  screen(paths.editTool, () => import('../features/my-tools/edit-tool-page.tsx')),
  screen(paths.myBookings, () => import('../features/bookings/my-bookings-page.tsx')),
  screen(paths.myBooking, () => import('../features/bookings/my-booking-details-page.tsx')),
  screen(paths.rentalHistory, () => import('../features/bookings/rental-history-page.tsx')),
  screen(paths.rental, () => import('../features/bookings/rental-history-details-page.tsx')),
  screen(paths.messages, () => import('../features/bookings/messages-page.tsx')),
  screen(paths.conversation, () => import('../features/bookings/conversation-page.tsx')),
  screen(paths.receipt, () => import('../features/receipts/receipt-page.tsx')),
  screen(paths.profile, () => import('../features/profile/profile-page.tsx')),
  screen(paths.security, () => import('../features/profile/security-page.tsx')),
  screen(paths.myData, () => import('../features/profile/my-data-page.tsx')),
  screen(paths.blockedPeople, () => import('../features/profile/blocked-people-page.tsx')),
  screen(paths.preferences, () => import('../features/profile/preferences-page.tsx')),
  screen(paths.notices, notifications),
  screen(paths.changePassword, () => import('../features/profile/change-password-page.tsx')),
];

const adminScreens: RouteObject[] = [
  screen(paths.adminDashboard, () => import('../features/admin/admin-dashboard-page.tsx')),
  screen(paths.addCategory, () => import('../features/admin/add-category-page.tsx')),
  screen(paths.categories, () => import('../features/admin/categories-page.tsx')),
  screen(paths.editCategory, () => import('../features/admin/category-details-page.tsx')),
  screen(paths.users, () => import('../features/admin/users-page.tsx')),
  screen(paths.user, () => import('../features/admin/user-details-page.tsx')),
  screen(paths.allBookings, () => import('../features/bookings/all-bookings-page.tsx')),
  screen(paths.adminTools, () => import('../features/admin/tools-page.tsx')),
  screen(paths.reviews, () => import('../features/admin/reviews-page.tsx')),
  screen(paths.threads, () => import('../features/admin/threads-page.tsx')),
  screen(paths.adminSearch, () => import('../features/admin/search-page.tsx')),
  screen(paths.auditLog, () => import('../features/admin/audit-log-page.tsx')),
  screen(paths.problems, () => import('../features/bookings/problems-page.tsx')),
  screen(paths.reports, () => import('../features/admin/reports-page.tsx')),
  screen(paths.disputes, () => import('../features/admin/disputes-page.tsx')),
  screen(paths.payouts, () => import('../features/payouts/payouts-page.tsx')),
  screen(paths.adminBooking, () => import('../features/bookings/admin-booking-details-page.tsx')),
];

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
        // If a page fails, keep the top bar, so that the user can leave the page.
        errorElement: <RouteError />,
        children: [
          ...publicScreens,
          ...movedScreens,
          {
            path: paths.userArea,
            element: <RequireUser />,
            children: [
              start(paths.dashboard),
              { lazy: namingFailure(purchaseLayout), children: purchaseScreens },
              { lazy: namingFailure(userLayout), children: userScreens },
            ],
          },
          {
            path: paths.adminArea,
            element: <RequireAdmin />,
            children: [
              start(paths.adminDashboard),
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

export function createTestRouter(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  followHistory(router);
  return router;
}
