import type { Topic } from './api/notifications.ts';

/** Names of the topics on screens and in the links of emails: "Stop emails about …". */
export const topicWords: Record<Topic, string> = {
  renting: 'tools that you rent',
  lending: 'bookings of your tools',
  messages: 'messages',
  reminders: 'reminders and reviews',
  payouts: 'earnings and payouts',
};
