import { localDate } from '@lendtools/contracts/local-time';
import { type TimeStatus, timeStatus } from '../../rental/time-status.ts';
import type { Stay } from './lent-days.ts';

/** A tool that was not returned in time is still away, so its stay lasts until today. */
export function untilToday(stay: Stay, now: number): Stay {
  const { booking, isRequested, to } = stay;
  const today = localDate(booking.timeZone, now);
  const isOverdue = !isRequested && timeStatus(booking, now) === 'Overdue';
  return isOverdue && to < today ? { ...stay, to: today } : stay;
}

/** The status of a stay, as on the owner's other screens. */
export function stayStatus({ booking, isRequested }: Stay, now: number) {
  const isChange = isRequested && booking.booking_status !== 'Requested';
  return isChange ? 'Change asked' : (timeStatus(booking, now) ?? 'Requested');
}

export function byWhom({ booking, isRequested }: Stay) {
  const { first_name, last_name } = booking.user;
  return `${isRequested ? 'requested' : 'booked'} by ${first_name} ${last_name}`;
}

const looks: Partial<Record<TimeStatus, string>> = {
  'Out now': 'out',
  'Due back': 'out',
  Overdue: 'overdue',
  Back: 'over',
  Completed: 'over',
};

/** The `data-look` of a stay's bar in the calendar. */
export function stayLook(stay: Stay, now: number) {
  if (stay.isRequested) return 'requested';
  const status = timeStatus(stay.booking, now);
  return (status && looks[status]) ?? 'booked';
}
