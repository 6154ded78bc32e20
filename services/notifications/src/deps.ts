import type { ServiceDeps } from '@lendtools/service-runtime';
import type { Config } from './config.ts';
import type { EmailSender } from './email/send-emails/send-emails.ts';
import type { AdminRepository } from './store/admin-repository.ts';
import type { BookingRepository } from './store/booking-repository.ts';
import type { EmailRepository } from './store/email-repository.ts';
import type { NoticeRepository } from './store/notice-repository.ts';
import type { PayoutAccountRepository } from './store/payout-account-repository.ts';
import type { PeopleRepository } from './store/people-repository.ts';
import type { PreferenceRepository } from './store/preference-repository.ts';

export interface Deps extends ServiceDeps {
  config: Config;
  people: PeopleRepository;
  admins: AdminRepository;
  bookings: BookingRepository;
  payoutAccounts: PayoutAccountRepository;
  preferences: PreferenceRepository;
  notices: NoticeRepository;
  emails: EmailRepository;
  sender: EmailSender;
}
