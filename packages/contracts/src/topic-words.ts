import type { Topic } from './api/notifications.ts';

/** What emails and notices are about, as the screens and the links in emails call it: "Stop emails about …". */
export const topicWords: Record<Topic, string> = {
  renting: 'tools that you rent',
  lending: 'bookings of your tools',
  messages: 'messages',
  reminders: 'reminders and reviews',
  payouts: 'earnings and payouts',
};
