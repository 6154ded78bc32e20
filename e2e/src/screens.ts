import type { Page } from 'playwright-core';

/** Whom a screen is for; visitors have no account. */
export type Who = 'visitor' | 'owner' | 'renter' | 'admin';

/** Things that screens are about. */
export interface Ids {
  /** A tool of the owner's, on offer. */
  toolId: string;
  /** The renter's booking of a tool of the owner's. */
  bookingId: string;
  categoryId: string;
  ownerId: string;
  /** A word that finds tools. */
  word: string;
}

export interface Screen {
  name: string;
  who: Who;
  path: string;
}

const later = 'start_date=2099-06-01&end_date=2099-06-04&quantity=1';

/** Every screen, with those that say that there is nothing. */
export const screensOf = (ids: Ids): Screen[] => {
  const paths: Record<Who, Record<string, string>> = {
    visitor: {
      home: '/',
      browse: `/home?q=${encodeURIComponent(ids.word)}`,
      'browse-nothing-found': '/home?q=zeppelin',
      'how-it-works': '/how-it-works',
      benefits: '/benefits',
      'create-account': '/create-account',
      login: '/user-login',
      'password-request': '/password-request',
      'reset-password': '/reset-password?token=x',
      tool: `/rental-details?id=${ids.toolId}`,
      'summary-of-a-visitor': `/rental-booking-summary?id=${ids.toolId}&${later}`,
      'summary-of-nothing': '/rental-booking-summary',
      'cart-empty': '/cart',
      moved: '/services',
      'not-found': '/nowhere',
    },
    owner: {
      dashboard: '/user/user-dashboard',
      'my-tools': '/user/my-rentals',
      'add-tool': '/user/add-rental',
      'edit-tool': `/user/my-tool-details?id=${ids.toolId}`,
      'my-bookings': '/user/my-bookings',
      'my-bookings-details': `/user/my-bookings-details?id=${ids.bookingId}`,
      notifications: '/user/notifications',
    },
    renter: {
      'tool-of-a-member': `/user/rental-details?id=${ids.toolId}`,
      'cart-of-a-member': '/user/cart',
      'my-rental-history': '/user/my-rental-history',
      'my-rental-history-details': `/user/my-rental-history-details?id=${ids.bookingId}`,
      profile: '/user/my-profile',
      'change-password': '/user/user-reset-password',
    },
    admin: {
      'admin-dashboard': '/admin/admin-dashboard',
      'admin-categories': '/admin/all-rental-categories',
      'admin-add-category': '/admin/add-rental-category',
      'admin-category': `/admin/rental-category-details?id=${ids.categoryId}`,
      'admin-users': '/admin/all-users',
      'admin-user': `/admin/user-details?id=${ids.ownerId}`,
      'admin-bookings': '/admin/all-rental-bookings',
      'admin-booking': `/admin/booking-details?id=${ids.bookingId}`,
    },
  };
  return (Object.keys(paths) as Who[]).flatMap((who) =>
    Object.entries(paths[who]).map(([name, path]) => ({ name, who, path })),
  );
};

/** What opens over a screen. */
export interface Overlay extends Screen {
  opener: string | RegExp;
  role?: 'menu' | 'dialog' | 'listbox';
  /** What opens it, where that is not Enter. */
  key?: string;
}

const aQuestion: Omit<Overlay, 'name'> = {
  who: 'owner',
  path: '/user/my-rentals',
  opener: /^Delete /,
};

export const overlaysOnPhone = ({ toolId, bookingId }: Ids): Overlay[] => {
  const tool = { who: 'visitor', path: `/rental-details?id=${toolId}` } as const;
  return [
    { name: 'menu-of-a-visitor', who: 'visitor', path: '/benefits', opener: 'Menu' },
    { name: 'menu-of-a-member', who: 'renter', path: '/user/my-bookings', opener: 'Me' },
    { name: 'booking-form', ...tool, opener: 'Choose dates' },
    { name: 'gallery', ...tool, opener: 'Show the cover in full size' },
    { name: 'question', ...aQuestion },
    {
      name: 'refund',
      who: 'admin',
      path: `/admin/booking-details?id=${bookingId}`,
      opener: 'Refund',
    },
  ];
};

/** @param adminName the admin's first name, which their account menu is called by */
export const overlaysAtDesk = (ids: Ids, adminName: string): Overlay[] => {
  const onPhone = overlaysOnPhone(ids);
  return [
    {
      name: 'account-menu-of-a-visitor',
      who: 'visitor',
      path: '/benefits',
      opener: 'My Account',
      role: 'menu',
    },
    {
      name: 'account-menu-of-an-admin',
      who: 'admin',
      path: '/admin/all-users',
      opener: adminName,
      role: 'menu',
    },
    { name: 'bell-of-a-visitor', who: 'visitor', path: '/benefits', opener: /^Notifications/ },
    { name: 'bell-of-a-member', who: 'owner', path: '/user/my-profile', opener: /^Notifications/ },
    {
      name: 'list',
      who: 'owner',
      path: '/user/add-rental',
      opener: 'Category',
      role: 'listbox',
      key: 'ArrowDown',
    },
    ...onPhone.filter(({ name }) => ['gallery', 'question', 'refund'].includes(name)),
  ];
};

/** Opens it by its button, with the focus on the button as a keyboard would have it. */
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
