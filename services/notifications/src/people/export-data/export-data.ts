import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** What notifications stores of a user, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ notices, emails }: Deps) =>
  handle(internalRoutes.dataOfNotifications, async ({ params: { userId } }) => {
    const [shown, sent] = await Promise.all([notices.listAll(userId), emails.listOf(userId)]);
    return { files: { notices: shown, emails: sent }, pictures: [] };
  });
