import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Who is notified of what concerns admins. */
export const syncAdmins = ({ admins }: Deps): Consumer =>
  subscribe('notifications.keep-admins', async ({ type, version, data }) => {
    const { userId: _id } = data;
    if (type === 'AccountDisabled') await admins.keepDisabled(_id, data.disabled, version);
    else await admins.keepRole({ _id, role: data.role, version });
  });
