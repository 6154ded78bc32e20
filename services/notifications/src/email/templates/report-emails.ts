import { type EventData, pages } from '@lendtools/contracts';
import { reportReasons } from '@lendtools/contracts/report-words';
import {
  outcomeForAuthor,
  outcomeForReporter,
  reportedInWords,
} from '../../domain/report-texts.ts';
import type { EmailContent } from '../email-content.ts';
import { greet, tokenPage } from './account-emails.ts';

/** Without text written by users: anyone can type someone else's address. */
export const reportReceivedEmail = (
  site: string,
  { number, about, reason, firstName }: EventData<'ReportReceived'>,
): EmailContent => ({
  subject: `We have your report ${number}`,
  neutralSubject: null,
  heading: 'Thank you for your report',
  paragraphs: [
    greet(firstName, `we have your report about ${reportedInWords(about)}.`),
    'Someone on our team will review it, and we will email you our decision and its reasons. We never say who reported something.',
  ],
  facts: [
    ['Number', number],
    ['Reason', reportReasons[reason]],
  ],
  button: { label: 'Open LendTools', url: site },
  footnote: 'Didn’t report anything? You can ignore this email.',
});

/** Both sides can appeal once. */
const appeal = (
  site: string,
  { token }: EventData<'ReportAnswered'>,
): Pick<EmailContent, 'link' | 'footnote'> =>
  token === undefined
    ? {}
    : {
        link: { label: 'I disagree: appeal', url: tokenPage(site, pages.appeal, token) },
        footnote:
          'You can appeal once, within six months. Someone on our team will review it again and email you.',
      };

/** The reasons are written by an admin. The title is the author's, so it is left out. */
export const answerForReporterEmail = (
  site: string,
  answered: EventData<'ReportAnswered'>,
): EmailContent => ({
  subject: `Our decision on your report ${answered.number}`,
  neutralSubject: null,
  heading: answered.replaces === null ? 'We have decided' : 'We have decided again',
  paragraphs: [
    greet(
      answered.firstName,
      `this is about your report ${answered.number} of ${reportedInWords(answered.about)}.`,
    ),
    outcomeForReporter(answered),
    answered.reason,
  ],
  button: { label: 'Open LendTools', url: site },
  ...appeal(site, answered),
});

/** The title of a reported person is the reader's own name. */
const titleForAuthor = ({
  about,
  title,
}: EventData<'ReportAnswered'>): Pick<EmailContent, 'subject' | 'neutralSubject' | 'heading'> => {
  const neutralSubject = 'Our decision after a report';
  if (about !== 'person')
    return { subject: `Our decision about “${title}”`, neutralSubject, heading: title };
  const subject = 'Our decision about your behavior';
  return { subject, neutralSubject, heading: subject };
};

export const answerForAuthorEmail = (
  site: string,
  answered: EventData<'ReportAnswered'>,
): EmailContent => ({
  ...titleForAuthor(answered),
  paragraphs: [outcomeForAuthor(answered), answered.reason],
  facts: [['Number', answered.number]],
  button:
    answered.decision === 'disable' || answered.about !== 'tool'
      ? { label: 'Open LendTools', url: site }
      : { label: 'See your tool', url: site + pages.ofId(pages.editTool, answered.contentId) },
  ...appeal(site, answered),
});
