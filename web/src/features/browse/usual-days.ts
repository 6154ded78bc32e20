import { laterDay } from '@lendtools/contracts/local-time';

interface UsualDays {
  name: string;
  /** The first and the last day on which the tool is needed. */
  start: string;
  end: string;
}

const saturday = 6;
const sunday = 0;

export function usualDays(today: string): UsualDays[] {
  const tomorrow = laterDay(today, 1);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const start = laterDay(today, saturday - weekday);
  const name = weekday === sunday ? 'Next weekend' : 'This weekend';
  return [
    { name: 'Today', start: today, end: today },
    { name: 'Tomorrow', start: tomorrow, end: tomorrow },
    { name, start, end: laterDay(start, 1) },
  ];
}
