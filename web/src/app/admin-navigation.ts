import * as paths from '@lendtools/contracts/pages';
import type { Permission } from '@lendtools/contracts/permissions';
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCalendarEvent,
  IconCategory,
  IconCategoryPlus,
  IconFlag,
  IconGavel,
  IconHistory,
  IconLayoutDashboard,
  IconMessages,
  IconStar,
  IconTools,
  IconUsers,
} from '@tabler/icons-react';
import type { NavigationItem } from './navigation.ts';

interface AdminItem extends NavigationItem {
  /** What the reader's role must allow. */
  permission: Permission;
}

/** Apart from the members' links, so that members don't load its icons. */
export const adminNavigation: AdminItem[] = [
  { to: paths.adminDashboard, label: 'Dashboard', icon: IconLayoutDashboard, permission: 'read' },
  { to: paths.users, label: 'All Users', icon: IconUsers, permission: 'read' },
  {
    to: paths.allBookings,
    label: 'All Rental Bookings',
    icon: IconCalendarEvent,
    permission: 'read',
  },
  { to: paths.adminTools, label: 'All Tools', icon: IconTools, permission: 'read' },
  { to: paths.reviews, label: 'Reviews', icon: IconStar, permission: 'read' },
  { to: paths.threads, label: 'Messages', icon: IconMessages, permission: 'moderate' },
  { to: paths.reports, label: 'Reports', icon: IconFlag, permission: 'moderate' },
  { to: paths.problems, label: 'Problems', icon: IconAlertTriangle, permission: 'read' },
  { to: paths.disputes, label: 'Disputes', icon: IconGavel, permission: 'money' },
  { to: paths.payouts, label: 'Payouts', icon: IconBuildingBank, permission: 'money' },
  { to: paths.auditLog, label: 'Audit log', icon: IconHistory, permission: 'administer' },
  {
    to: paths.categories,
    label: 'All Rental Categories',
    icon: IconCategory,
    permission: 'administer',
  },
  {
    to: paths.addCategory,
    label: 'Add rental Category',
    icon: IconCategoryPlus,
    permission: 'administer',
  },
];
