import { type EventData, pages, type ReportReason } from '@lendtools/contracts';
import {
  outcomeForAuthor,
  outcomeForReporter,
  reportedInWords,
} from '../../domain/report-texts.ts';
import type { EmailContent } from '../email-content.ts';
import { greet, tokenPage } from './account-emails.ts';

const reasons: Record<ReportReason, string> = {
  scam: 'It looks like a scam',
  illegal: 'It is illegal or stolen',
  dangerous: 'It is dangerous',
  misleading: 'It is not what it says',
  offensive: 'It is offensive or hateful',
  private: 'It shows private data',
  copied: 'It uses my pictures or texts',
  spam: 'It is an advertisement',
  other: 'Something else',
};

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
    'A person on our team looks at it, and we write to you what we decided and why. We never say who reported something.',
  ],
  facts: [
    ['Number', number],
    ['Reason', reasons[reason]],
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
        footnote: 'You can appeal once, within six months. A person on our team looks at it again.',
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

export const answerForAuthorEmail = (
  site: string,
  answered: EventData<'ReportAnswered'>,
): EmailContent => ({
  subject: `A decision of LendTools: ${answered.title}`,
  neutralSubject: 'LendTools has decided about something that you published',
  heading: answered.title,
  paragraphs: [outcomeForAuthor(answered), answered.reason],
  facts: [['Number', answered.number]],
  button:
    answered.decision === 'disable' || answered.about !== 'tool'
      ? { label: 'Open LendTools', url: site }
      : { label: 'See your tool', url: site + pages.ofId(pages.editTool, answered.contentId) },
  ...appeal(site, answered),
});
