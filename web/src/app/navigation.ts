import * as paths from '@lendtools/contracts/pages';
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCalendarEvent,
  IconCategory,
  IconCategoryPlus,
  IconCirclePlus,
  IconCoin,
  IconGavel,
  IconHeart,
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
  { to: paths.dashboard, label: 'Dashboard', icon: IconLayoutDashboard },
  { to: paths.addTool, label: 'List a tool', icon: IconCirclePlus },
  { to: paths.savedTools, label: 'Saved tools', icon: IconHeart },
  { to: paths.myTools, label: 'My Tools', icon: IconTools },
  { to: paths.myBookings, label: 'My Bookings', icon: IconCalendarEvent },
  { to: paths.earnings, label: 'Earnings', icon: IconCoin },
  { to: paths.rentalHistory, label: 'My Rental History', icon: IconHistory },
];

const bookingScreens = [paths.myBookings, paths.rentalHistory];
export const bookingNavigation = userNavigation.filter(({ to }) => bookingScreens.includes(to));

export const adminNavigation: NavigationItem[] = [
  { to: paths.adminDashboard, label: 'Dashboard', icon: IconLayoutDashboard },
  { to: paths.users, label: 'All Users', icon: IconUsers },
  { to: paths.allBookings, label: 'All Rental Bookings', icon: IconCalendarEvent },
  { to: paths.problems, label: 'Problems', icon: IconAlertTriangle },
  { to: paths.disputes, label: 'Disputes', icon: IconGavel },
  { to: paths.payouts, label: 'Payouts', icon: IconBuildingBank },
  { to: paths.categories, label: 'All Rental Categories', icon: IconCategory },
  { to: paths.addCategory, label: 'Add rental Category', icon: IconCategoryPlus },
];
