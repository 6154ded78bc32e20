import * as paths from '@lendtools/contracts/pages';
import {
  IconCalendarEvent,
  IconCirclePlus,
  IconCoin,
  IconHeart,
  IconHistory,
  IconLayoutDashboard,
  IconMessageCircle,
  type IconProps,
  IconTools,
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
  { to: paths.messages, label: 'Messages', icon: IconMessageCircle },
  { to: paths.earnings, label: 'Earnings', icon: IconCoin },
  { to: paths.rentalHistory, label: 'My Rental History', icon: IconHistory },
];
