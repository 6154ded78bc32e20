import * as paths from '@lendtools/contracts/pages';
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCalendarEvent,
  IconCategory,
  IconCategoryPlus,
  IconFlag,
  IconGavel,
  IconLayoutDashboard,
  IconMessages,
  IconStar,
  IconTools,
  IconUsers,
} from '@tabler/icons-react';
import type { NavigationItem } from './navigation.ts';

/** Apart from the members' links, so that members don't load its icons. */
export const adminNavigation: NavigationItem[] = [
  { to: paths.adminDashboard, label: 'Dashboard', icon: IconLayoutDashboard },
  { to: paths.users, label: 'All Users', icon: IconUsers },
  { to: paths.allBookings, label: 'All Rental Bookings', icon: IconCalendarEvent },
  { to: paths.adminTools, label: 'All Tools', icon: IconTools },
  { to: paths.reviews, label: 'Reviews', icon: IconStar },
  { to: paths.threads, label: 'Messages', icon: IconMessages },
  { to: paths.reports, label: 'Reports', icon: IconFlag },
  { to: paths.problems, label: 'Problems', icon: IconAlertTriangle },
  { to: paths.disputes, label: 'Disputes', icon: IconGavel },
  { to: paths.payouts, label: 'Payouts', icon: IconBuildingBank },
  { to: paths.categories, label: 'All Rental Categories', icon: IconCategory },
  { to: paths.addCategory, label: 'Add rental Category', icon: IconCategoryPlus },
];
