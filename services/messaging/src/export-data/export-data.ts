import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

/** What a user wrote, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ threads, replies }: Deps) =>
  handle(internalRoutes.dataOfMessaging, async ({ params: { userId } }) => {
    const sent = [...(await threads.listSentBy(userId)), ...(await replies.listSentBy(userId))];
    const messages = sent
      .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
      .map(({ bookingId, text, createdAt }) => ({
        thread: bookingId,
        text,
        sentAt: createdAt.toISOString(),
      }));
    return { files: { messages }, pictures: [] };
  });
