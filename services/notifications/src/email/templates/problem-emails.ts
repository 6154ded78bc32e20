import { type EventData, pages } from '@lendtools/contracts';
import * as texts from '../../domain/notice-texts.ts';
import type { EmailContent } from '../email-content.ts';
import { ownersPage, rentersPage } from './booking-emails.ts';

export const problemForAdminEmail = (
  site: string,
  reported: EventData<'BookingProblemReported'>,
  reporterName: string,
): EmailContent => ({
  subject: `A problem with a rental: ${reported.toolName}, ${reported.bookingCode}`,
  neutralSubject: 'A problem with a rental is to be settled',
  heading: 'A problem to settle',
  paragraphs: [
    texts.problemForAdmin(reported, reporterName, true),
    'The booking is not completed until an admin settles this.',
  ],
  button: { label: 'See the problems', url: site + pages.problems },
});

const pageFor = (to: 'owner' | 'renter', site: string, bookingId: string): string =>
  to === 'owner' ? ownersPage(site, bookingId) : rentersPage(site, bookingId);

export const problemForPartyEmail = (
  site: string,
  reported: EventData<'BookingProblemReported'>,
  to: 'owner' | 'renter',
  reporterName: string,
): EmailContent => ({
  subject: `A problem with a rental: ${reported.toolName}, ${reported.bookingCode}`,
  neutralSubject: 'A problem with a rental is reported',
  heading: 'A problem is reported',
  paragraphs: [
    texts.problemForParty(reported, reporterName),
    'You can write to each other, or report what you have seen, on the booking’s page.',
  ],
  button: { label: 'See the booking', url: pageFor(to, site, reported.bookingId) },
});

export const problemSettledEmail = (
  site: string,
  settled: EventData<'BookingProblemSettled'>,
  to: 'owner' | 'renter',
): EmailContent => ({
  subject: `Settled: the problem with ${settled.toolName}, ${settled.bookingCode}`,
  neutralSubject: 'The problem with a rental is settled',
  heading: 'The problem is settled',
  paragraphs: [texts.problemSettled(settled, true)],
  button: { label: 'See the booking', url: pageFor(to, site, settled.bookingId) },
});
