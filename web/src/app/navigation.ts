import {
  IconCalendarEvent,
  IconCategory,
  IconCategoryPlus,
  IconCirclePlus,
  IconHistory,
  IconLayoutDashboard,
  type IconProps,
  IconTools,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface NavigationItem {
  to: string;
  label: string;
  icon: ComponentType<IconProps>;
}

export const userNavigation: NavigationItem[] = [
  { to: '/user/user-dashboard', label: 'Dashboard', icon: IconLayoutDashboard },
  { to: '/user/add-rental', label: 'List a tool', icon: IconCirclePlus },
  { to: '/user/my-rentals', label: 'My Tools', icon: IconTools },
  { to: '/user/my-bookings', label: 'My Bookings', icon: IconCalendarEvent },
  { to: '/user/my-rental-history', label: 'My Rental History', icon: IconHistory },
];

const bookingScreens = ['/user/my-bookings', '/user/my-rental-history'];
export const bookingNavigation = userNavigation.filter(({ to }) => bookingScreens.includes(to));

export const adminNavigation: NavigationItem[] = [
  { to: '/admin/admin-dashboard', label: 'Dashboard', icon: IconLayoutDashboard },
  { to: '/admin/all-users', label: 'All Users', icon: IconUsers },
  { to: '/admin/all-rental-bookings', label: 'All Rental Bookings', icon: IconCalendarEvent },
  { to: '/admin/all-rental-categories', label: 'All Rental Categories', icon: IconCategory },
  { to: '/admin/add-rental-category', label: 'Add rental Category', icon: IconCategoryPlus },
];
