import type { Event, LiveMessages, liveEvents, Reply } from '@lendtools/contracts';

/** All sockets, including visitors. */
export const everybody = 'everybody';

/** The room of all admins, who may read every booking and its thread. */
export const admins = 'admins';

/** The room of everyone who looks at a tool's calendar, logged in or not. */
export const watchersOf = (toolId: string): string => `tool:${toolId}`;

const availabilityChanged = (toolIds: string[]): Push[] =>
  [...new Set(toolIds)].map((toolId) => ({
    to: [watchersOf(toolId)],
    name: 'availability:changed',
    payload: { toolId },
  }));

type LiveEvent = Event<(typeof liveEvents)[number]>;
type Push = {
  [K in keyof LiveMessages]: {
    to: string[] | typeof everybody;
    name: K;
    payload: Parameters<LiveMessages[K]>[0];
  };
}[keyof LiveMessages];

const documented = ({ version, data: said }: Event<'MessageSent' | 'ReplySent'>) => ({
  bookingId: said.bookingId,
  message: said.text,
  user: { id: said.fromUserId, first_name: said.fromFirstName, last_name: said.fromLastName },
  createdAt: said.sentAt,
  // A thread's version counts its messages, including the first.
  place: version - 1,
});

/** The pushes of an event. The sender of a message gets it too, for their other tabs. */
export const pushesOf = (event: LiveEvent): Push[] => {
  switch (event.type) {
    case 'NoticeCreated': {
      const { userId, notice } = event.data;
      return [{ to: [userId], name: 'notice:created', payload: notice }];
    }
    case 'MessageSent': {
      const { messageId: id, fromUserId, toUserId } = event.data;
      const payload = { id, ...documented(event) };
      return [{ to: [fromUserId, toUserId, admins], name: 'message:sent', payload }];
    }
    case 'ReplySent': {
      const { replyId: id, messageId, fromUserId, toUserId } = event.data;
      const payload: Reply = { id, messageId, ...documented(event) };
      return [{ to: [fromUserId, toUserId, admins], name: 'reply:sent', payload }];
    }
    case 'AvailabilityChanged':
      return availabilityChanged([event.data.toolId]);
    case 'BookingHeld':
    case 'BookingExpired':
      return availabilityChanged((event.data.lines ?? []).map(({ toolId }) => toolId));
    case 'BookingRequested':
    case 'BookingAccepted':
    case 'BookingRequestEnded':
    case 'BookingChangeRequested':
    case 'BookingChangeRequestEnded':
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
        { to: [ownerId, renterId, admins], name: 'booking:changed', payload },
        ...availabilityChanged([toolId]),
      ];
    }
    case 'BookingPaymentChanged': {
      const { renterId, bookings, change } = event.data;
      // Disputes don't concern the parties.
      const isForParties = change.kind === 'refund';
      return bookings.map(({ bookingId, toolId, ownerId }) => ({
        to: isForParties ? [ownerId, renterId, admins] : [admins],
        name: 'booking:changed',
        payload: { bookingId, toolId },
      }));
    }
    case 'AccountUpdated': {
      const { userId, role, firstName, lastName, email, image } = event.data;
      const payload = {
        id: userId,
        role,
        first_name: firstName,
        last_name: lastName,
        email,
        image,
      };
      return [{ to: [userId], name: 'account:changed', payload }];
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
      return [{ to: everybody, name: 'category:saved', payload: { id, name, image } }];
    }
    case 'CategoryRemoved': {
      const { categoryId: id } = event.data;
      return [{ to: everybody, name: 'category:removed', payload: { id } }];
    }
  }
};
