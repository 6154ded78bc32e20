import type { Event, LiveMessages, liveEvents, Permission, Reply } from '@lendtools/contracts';

/** The name for all sockets, including those of visitors. */
export const everyone = 'everyone';

/** The room of all admins with a permission. */
export const adminsWith = (permission: Permission): string => `admins:${permission}`;

/** The room of everyone who looks at a tool's calendar, logged in or not. */
export const watchersOf = (toolId: string): string => `tool:${toolId}`;

const availabilityChanged = (toolIds: string[]): Push[] =>
  [...new Set(toolIds)].map((toolId) => ({
    to: [watchersOf(toolId)],
    name: 'availability:changed',
    payload: { toolId },
  }));

export type LiveEvent = Event<(typeof liveEvents)[number]>;
type Push = {
  [K in keyof LiveMessages]: {
    to: string[] | typeof everyone;
    name: K;
    payload: Parameters<LiveMessages[K]>[0];
  };
}[keyof LiveMessages];

const messageFields = ({ version, data }: Event<'MessageSent' | 'ReplySent'>) => ({
  bookingId: data.bookingId,
  message: data.text,
  user: { id: data.fromUserId, first_name: data.fromFirstName, last_name: data.fromLastName },
  createdAt: data.sentAt,
  // A thread's version also counts the first message, so it is one more than the place of the reply.
  place: version - 1,
});

/** Without the text: an admin's page reads the thread again, which the audit log records. */
const threadChangedForAdmins = (
  messageId: string,
  { data: { bookingId } }: Event<'MessageSent' | 'ReplySent'>,
): Push => ({
  to: [adminsWith('moderate')],
  name: 'thread:changed',
  payload: { bookingId, messageId, questionId: null },
});

const accountFields = (account: Event<'AccountUpdated'>['data']) => {
  const { userId: id, firstName: first_name, lastName: last_name, email, image } = account;
  const role = account.adminRole ?? account.role;
  return { id, role, first_name, last_name, email, image };
};

/** The pushes of an event. A message is also pushed to its sender, for the sender's other tabs. */
export const pushesOf = (event: LiveEvent): Push[] => {
  switch (event.type) {
    case 'NoticeCreated': {
      const { userId, notice } = event.data;
      return [{ to: [userId], name: 'notice:created', payload: notice }];
    }
    case 'MessageSent': {
      const { messageId: id, fromUserId, toUserId } = event.data;
      const payload = { id, ...messageFields(event) };
      return [
        { to: [fromUserId, toUserId], name: 'message:sent', payload },
        threadChangedForAdmins(id, event),
      ];
    }
    case 'ReplySent': {
      const { replyId: id, messageId, fromUserId, toUserId } = event.data;
      const { answer } = event.data;
      const payload: Reply = { id, messageId, ...messageFields(event), ...(answer && { answer }) };
      return [
        { to: [fromUserId, toUserId], name: 'reply:sent', payload },
        threadChangedForAdmins(messageId, event),
      ];
    }
    case 'ThreadChanged': {
      const { bookingId, messageId, questionId, ownerId, renterId } = event.data;
      const payload = { bookingId, messageId, questionId };
      return [{ to: [ownerId, renterId, adminsWith('moderate')], name: 'thread:changed', payload }];
    }
    case 'AvailabilityChanged':
      return availabilityChanged([event.data.toolId]);
    case 'BookingHeld':
    case 'BookingExpired':
      return availabilityChanged(event.data.lines.map(({ toolId }) => toolId));
    case 'ApprovalRequested':
    case 'ApprovalAccepted':
    case 'ApprovalEnded':
    case 'BookingCreated':
    case 'BookingReturned':
    case 'BookingReturnUndone':
    case 'BookingCompleted':
    case 'BookingProblemReported':
    case 'BookingProblemSettled':
    case 'BookingCancelled':
    case 'BookingChanged':
    case 'BookingRefundGranted': {
      const { bookingId, toolId, ownerId, renterId } = event.data;
      const payload = { bookingId, toolId };
      return [
        { to: [ownerId, renterId, adminsWith('read')], name: 'booking:changed', payload },
        ...availabilityChanged([toolId]),
      ];
    }
    case 'ReviewAdded':
    case 'RenterReviewAdded': {
      const { bookingId, toolId, ownerId, renterId } = event.data;
      const payload = { bookingId, toolId };
      return [{ to: [ownerId, renterId, adminsWith('read')], name: 'booking:changed', payload }];
    }
    case 'BookingPaymentChanged': {
      const { renterId, bookings, change } = event.data;
      // Push refunds to the parties too, but disputes only to admins.
      const isForParties = change.kind === 'refund';
      const admins = adminsWith(isForParties ? 'read' : 'money');
      return bookings.map(({ bookingId, toolId, ownerId }) => ({
        to: isForParties ? [ownerId, renterId, admins] : [admins],
        name: 'booking:changed',
        payload: { bookingId, toolId },
      }));
    }
    case 'AccountUpdated': {
      const payload = accountFields(event.data);
      return [{ to: [payload.id], name: 'account:changed', payload }];
    }
    case 'ToolListed':
    case 'ToolUpdated':
    case 'ToolRemoved': {
      const { toolId, ownerId } = event.data;
      return [{ to: [ownerId], name: 'tool:changed', payload: { toolId } }];
    }
    case 'CategoryAdded':
    case 'CategoryUpdated': {
      const { categoryId: id, name, image } = event.data;
      return [{ to: everyone, name: 'category:saved', payload: { id, name, image } }];
    }
    case 'CategoryRemoved': {
      const { categoryId: id } = event.data;
      return [{ to: everyone, name: 'category:removed', payload: { id } }];
    }
  }
};
