import type { Topology } from '@lendtools/event-bus';
import type { Running } from '@lendtools/service-kit';
import { startMongoService } from '@lendtools/service-runtime';
import { routes } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';
import { createReceiptReader } from './email/send-emails/attached-receipts.ts';
import { createMailTransport } from './email/send-emails/mail-transport.ts';
import { createEmailSender, emailCount, lateEmailCount } from './email/send-emails/send-emails.ts';
import { createLiveHub } from './push-live/live-hub.ts';
import { createAdminRepository } from './store/admin-repository.ts';
import { createBookingRepository } from './store/booking-repository.ts';
import { createEmailRepository } from './store/email-repository.ts';
import { indexes, outboxes } from './store/indexes.ts';
import { createNoticeRepository } from './store/notice-repository.ts';
import { createPayoutAccountRepository } from './store/payout-account-repository.ts';
import { createPeopleRepository } from './store/people-repository.ts';
import { createPreferenceRepository } from './store/preference-repository.ts';

interface StartOptions {
  topology?: Topology;
  mailRetryDelaysMs?: readonly number[];
}

export const startNotifications = (config: Config, options: StartOptions = {}): Promise<Running> =>
  startMongoService('notifications', config, {
    ...(options.topology && { topology: options.topology }),
    outboxes,
    indexes,
    async build(serviceDeps) {
      const { connection, relay, logger, metrics } = serviceDeps;
      for (const metric of [emailCount, lateEmailCount]) metrics.registry.registerMetric(metric);
      const preferences = createPreferenceRepository(connection);
      const notices = createNoticeRepository(connection, { relay, preferences });
      const emails = createEmailRepository(connection);
      const sender = createEmailSender({
        logger,
        emails,
        notices,
        preferences,
        transport: createMailTransport(config),
        readReceipts: createReceiptReader(config),
        ...(options.mailRetryDelaysMs && { retryDelaysMs: options.mailRetryDelaysMs }),
      });
      const deps: Deps = {
        ...serviceDeps,
        config,
        preferences,
        notices,
        emails,
        sender,
        people: createPeopleRepository(connection),
        admins: createAdminRepository(connection),
        bookings: createBookingRepository(connection),
        payoutAccounts: createPayoutAccountRepository(connection),
      };
      const hub = createLiveHub(deps);
      return {
        routes: routes(deps),
        consumers: consumers(deps),
        purges: { notices: notices.purgeOld, emails: emails.purgeOld },
        onListening: ({ server }) => hub.attach(server),
        onStopping: hub.stop,
        onStopped: sender.stop,
      };
    },
  });
