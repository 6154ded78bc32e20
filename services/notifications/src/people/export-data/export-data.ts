import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** What notifications stores of a user, for the download of their data. Accounts calls it with a token of the user. */
export const exportData = ({ notices, emails, preferences }: Deps) =>
  handle(internalRoutes.dataOfNotifications, async ({ params: { userId } }) => {
    const [shown, sent, wanted] = await Promise.all([
      notices.listAll(userId),
      emails.listOf(userId),
      preferences.get(userId),
    ]);
    const files = { notices: shown, emails: sent, preferences: [wanted] };
    return { files, pictures: [] };
  });
