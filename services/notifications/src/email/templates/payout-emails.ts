import { pages } from '@lendtools/contracts';
import type { PayoutText } from '../../domain/payout-texts.ts';
import type { EmailContent } from '../email-content.ts';

export const payoutsLink = (site: string, label: string) => ({ label, url: site + pages.getPaid });

export const payoutEmail = (site: string, text: PayoutText): EmailContent => ({
  subject: text.heading,
  neutralSubject: text.heading,
  heading: text.heading,
  paragraphs: [
    text.message,
    'Payouts are handled by Stripe. Your bank account and your identity are stored there, not at LendTools.',
  ],
  button: payoutsLink(site, text.label),
});
