import type { Page } from 'playwright-core';
import { daysAhead } from '../src/purchases.ts';

export type Who = 'visitor' | 'owner' | 'renter' | 'admin';

export interface Ids {
  /** Except in the demo, one of its days is both requested and blocked. */
  toolId: string;
  bookingId: string;
  requestId: string;
  /** The id of a booking with a change that the owner has to accept. The demo has none. */
  changingId?: string;
  /** A payment of the renter. The demo has none. */
  paymentId?: string;
  /** The booking of a rental that has begun, and the party who may still report a problem with it. */
  reportable: { who: 'owner' | 'renter'; bookingId: string };
  categoryId: string;
  ownerId: string;
  /** A search word that finds tools. */
  word: string;
}

export interface Screen {
  name: string;
  who: Who;
  path: string;
}

const soon = `start_date=${daysAhead(40)}&end_date=${daysAhead(42)}`;
const later = 'start_date=2099-06-01&end_date=2099-06-04&quantity=1';

export const screensOf = (ids: Ids): Screen[] => {
  const paths: Record<Who, Record<string, string>> = {
    visitor: {
      home: '/',
      browse: `/home?q=${encodeURIComponent(ids.word)}`,
      'browse-nothing-found': '/home?q=zeppelin',
      'browse-on-dates': `/home?${soon}`,
      'browse-nothing-free': `/home?q=zeppelin&${soon}`,
      'how-it-works': '/how-it-works',
      benefits: '/benefits',
      'create-account': '/create-account',
      'undo-email-change': '/undo-email-change?token=x',
      appeal: '/appeal?token=x',
      unsubscribe: '/unsubscribe?token=x.messages.x',
      login: '/user-login',
      'password-request': '/password-request',
      'reset-password': '/reset-password?token=x',
      tool: `/rental-details?id=${ids.toolId}`,
      person: `/people?id=${ids.ownerId}`,
      'summary-of-a-visitor': `/rental-booking-summary?id=${ids.toolId}&${later}`,
      'summary-of-nothing': '/rental-booking-summary',
      'cart-empty': '/cart',
      moved: '/services',
      'not-found': '/nowhere',
    },
    owner: {
      dashboard: '/user/user-dashboard',
      'my-tools': '/user/my-rentals',
      'my-calendar': '/user/my-calendar',
      'get-paid': '/user/get-paid',
      earnings: '/user/earnings',
      'add-tool': '/user/add-rental',
      'edit-tool': `/user/my-tool-details?id=${ids.toolId}`,
      'my-bookings': '/user/my-bookings',
      'my-bookings-details': `/user/my-bookings-details?id=${ids.bookingId}`,
      'my-request-details': `/user/my-bookings-details?id=${ids.requestId}`,
      ...(ids.changingId && {
        'my-change-details': `/user/my-bookings-details?id=${ids.changingId}`,
      }),
      notifications: '/user/notifications',
      messages: '/user/messages',
    },
    renter: {
      'tool-of-a-member': `/user/rental-details?id=${ids.toolId}`,
      'cart-of-a-member': '/user/cart',
      'saved-tools': '/user/saved-tools',
      'question-new': `/user/conversation?tool=${ids.toolId}`,
      'my-rental-history': '/user/my-rental-history',
      'my-rental-history-details': `/user/my-rental-history-details?id=${ids.bookingId}`,
      'my-rental-history-request': `/user/my-rental-history-details?id=${ids.requestId}`,
      ...(ids.changingId && {
        'my-rental-history-change': `/user/my-rental-history-details?id=${ids.changingId}`,
      }),
      'change-booking': `/user/change-booking?id=${ids.bookingId}`,
      ...(ids.paymentId && { receipt: `/user/receipt?id=${ids.paymentId}` }),
      profile: '/user/my-profile',
      'change-password': '/user/user-reset-password',
      security: '/user/security',
      'my-data': '/user/my-data',
      'blocked-people': '/user/blocked-people',
      preferences: '/user/preferences',
    },
    admin: {
      'admin-dashboard': '/admin/admin-dashboard',
      'admin-categories': '/admin/all-rental-categories',
      'admin-add-category': '/admin/add-rental-category',
      'admin-category': `/admin/rental-category-details?id=${ids.categoryId}`,
      'admin-users': '/admin/all-users',
      'admin-user': `/admin/user-details?id=${ids.ownerId}`,
      'admin-bookings': '/admin/all-rental-bookings',
      'admin-tools': '/admin/all-tools',
      'admin-reviews': '/admin/all-reviews',
      'admin-messages': '/admin/all-messages',
      'admin-search': `/admin/search?q=${encodeURIComponent(ids.word)}`,
      'admin-returns': '/admin/all-rental-bookings?overdue=true',
      'admin-reports': '/admin/reports',
      'admin-problems': '/admin/problems',
      'admin-disputes': '/admin/disputes',
      'admin-payouts': '/admin/payouts',
      'admin-audit-log': '/admin/audit-log',
      'admin-earnings': `/user/earnings?owner=${ids.ownerId}`,
      'admin-booking': `/admin/booking-details?id=${ids.bookingId}`,
    },
  };
  return (Object.keys(paths) as Who[]).flatMap((who) =>
    Object.entries(paths[who]).map(([name, path]) => ({ name, who, path })),
  );
};

/** Tablets count as phones. */
type Size = 'phone' | 'desk';

export interface Overlay extends Screen {
  opener: string | RegExp;
  role?: 'menu' | 'dialog' | 'listbox';
  key?: string;
  /** The only screen size with this overlay; undefined if both sizes have it. */
  at?: Size;
}

interface OverlayIds extends Ids {
  /** The admin's first name, which is the label of the account menu. */
  adminName: string;
}

const detailsOf = {
  owner: '/user/my-bookings-details',
  renter: '/user/my-rental-history-details',
};

export const overlaysAt = (size: Size, ids: OverlayIds): Overlay[] => {
  const { toolId, bookingId, requestId, changingId, adminName } = ids;
  const tool = { who: 'visitor', path: `/rental-details?id=${toolId}` } as const;
  const summary = {
    who: 'visitor',
    path: `/rental-booking-summary?id=${toolId}&start_date=${daysAhead(30)}&end_date=${daysAhead(32)}`,
  } as const;
  const browse = { who: 'visitor', path: '/home' } as const;
  const benefits = { who: 'visitor', path: '/benefits' } as const;
  const users = { who: 'admin', path: '/admin/all-users' } as const;
  const profile = { who: 'owner', path: '/user/my-profile' } as const;
  const bookings = { who: 'renter', path: '/user/my-bookings' } as const;
  const booking = { who: 'admin', path: `/admin/booking-details?id=${bookingId}` } as const;
  const myTools = { who: 'owner', path: '/user/my-rentals' } as const;
  const addTool = { who: 'owner', path: '/user/add-rental' } as const;
  const requested = { who: 'owner', path: `/user/my-bookings-details?id=${requestId}` } as const;
  const request = {
    who: 'renter',
    path: `/user/my-rental-history-details?id=${requestId}`,
  } as const;
  const calendar = {
    who: 'owner',
    path: `/user/my-calendar?from=${daysAhead(50)}`,
  } as const;
  const report = {
    who: ids.reportable.who,
    path: `${detailsOf[ids.reportable.who]}?id=${ids.reportable.bookingId}`,
  };
  const problems = { who: 'admin', path: '/admin/problems' } as const;
  const member = { who: 'admin', path: `/admin/user-details?id=${ids.ownerId}` } as const;
  const changes: Overlay[] = changingId
    ? [
        {
          name: 'decline-change',
          who: 'owner',
          opener: 'Decline',
          path: `/user/my-bookings-details?id=${changingId}`,
        },
        {
          name: 'withdraw-change',
          who: 'renter',
          opener: 'Withdraw',
          path: `/user/my-rental-history-details?id=${changingId}`,
        },
      ]
    : [];
  const all: Overlay[] = [
    { name: 'menu-of-a-visitor', ...benefits, opener: 'Menu', at: 'phone' },
    { name: 'menu-of-a-member', ...bookings, opener: 'Me', at: 'phone' },
    { name: 'search', ...browse, opener: /^What do you need/, at: 'phone' },
    { name: 'search-where', ...browse, opener: /^Where/, at: 'desk' },
    { name: 'filters', ...browse, opener: 'Filters' },
    { name: 'booking-form', ...tool, opener: 'Choose dates', at: 'phone' },
    { name: 'sign-up', ...summary, opener: 'ADD TO CART' },
    { name: 'ask-owner', ...tool, opener: /^Ask .+ a question$/ },
    { name: 'gallery', ...tool, opener: 'Show the cover in full size' },
    { name: 'question', ...myTools, opener: /^Delete / },
    { name: 'refund', ...booking, opener: 'Refund' },
    { name: 'decline', ...requested, opener: 'Decline' },
    { name: 'withdraw', ...request, opener: 'Withdraw' },
    ...changes,
    { name: 'report-problem', ...report, opener: 'Report a problem' },
    { name: 'hold-payouts', ...member, opener: /^Hold payouts/ },
    { name: 'settle-problem', ...problems, opener: /^Settle: / },
    { name: 'calendar-day', ...calendar, opener: /requested by .*, blocked$/ },
    {
      name: 'list',
      ...addTool,
      opener: 'Category',
      role: 'listbox',
      key: 'ArrowDown',
    },
    {
      name: 'account-menu-of-a-visitor',
      ...benefits,
      opener: 'My Account',
      role: 'menu',
      at: 'desk',
    },
    {
      name: 'account-menu-of-an-admin',
      ...users,
      opener: adminName,
      role: 'menu',
      at: 'desk',
    },
    { name: 'bell-of-a-visitor', ...benefits, opener: /^Notifications/, at: 'desk' },
    { name: 'bell-of-a-member', ...profile, opener: /^Notifications/, at: 'desk' },
  ];
  return all.filter(({ at }) => !at || at === size);
};

export const openOverlay = async (
  page: Page,
  { opener, role = 'dialog', key = 'Enter' }: Overlay,
) => {
  const button = page
    .getByRole('button', { name: opener })
    .or(page.getByRole('combobox', { name: opener }))
    .first();
  await button.focus();
  await page.keyboard.press(key);
  const overlay = page.getByRole(role).last();
  await overlay.waitFor();
  return { button, overlay };
};
