import { pages } from '@lendtools/contracts';
import type { EarningsText } from '../../domain/earnings-texts.ts';
import type { EmailContent } from '../email-content.ts';
import { payoutsLink } from './payout-emails.ts';

export const earningsEmail = (
  site: string,
  { message, email: { heading, explanation } }: Required<EarningsText>,
): EmailContent => ({
  subject: heading,
  neutralSubject: heading,
  heading,
  paragraphs: [message, explanation],
  button: { label: 'See your earnings', url: site + pages.earnings },
});

/** Leads to the page whose link opens the owner's account at Stripe, where the bank account is. */
export const failedPayoutEmail = (site: string, text: Required<EarningsText>): EmailContent => ({
  ...earningsEmail(site, text),
  button: payoutsLink(site, 'Check your bank account'),
});
