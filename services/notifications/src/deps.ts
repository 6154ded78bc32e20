import type { ServiceDeps } from '@lendtools/service-runtime';
import type { AdminRepository } from './admin-repository.ts';
import type { BookingRepository } from './booking-repository.ts';
import type { Config } from './config.ts';
import type { EmailRepository } from './email-repository.ts';
import type { NoticeRepository } from './notice-repository.ts';
import type { PeopleRepository } from './people-repository.ts';
import type { EmailSender } from './send-emails/send-emails.ts';

export interface Deps extends ServiceDeps {
  config: Config;
  people: PeopleRepository;
  admins: AdminRepository;
  bookings: BookingRepository;
  notices: NoticeRepository;
  emails: EmailRepository;
  sender: EmailSender;
}
