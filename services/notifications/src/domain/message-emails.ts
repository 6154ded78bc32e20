const dayMs = 86_400_000;

/**
 * Returns the last message that gets an email. Per booking, the first unread message gets one, then each message that is at
 * least a day newer than the last emailed message.
 * @param unread oldest first
 */
export const lastToEmail = <T extends { createdAt: Date }>(unread: T[]): T | undefined => {
  let emailed = unread[0];
  for (const next of unread)
    if (emailed && next.createdAt.getTime() - emailed.createdAt.getTime() >= dayMs) emailed = next;
  return emailed;
};
