import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { outcomeForAuthor } from '../../domain/report-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import {
  answerForAuthorEmail,
  answerForReporterEmail,
  reportReceivedEmail,
} from '../../email/templates/report-emails.ts';

/** Confirms reports by email, and emails the decisions to both sides. The author gets a notice too. */
export const sendReportEmails = (deps: Deps): Consumer =>
  subscribe('notifications.send-report-emails', async (event) => {
    if (event.type === 'ReportAnswered') return answer(deps, event);
    await queueEmail(
      deps,
      {
        eventId: event.id,
        template: 'report-received',
        to: addressOf({ userId: null, ...event.data }),
      },
      reportReceivedEmail(siteOf(deps), event.data),
    );
  });

const answer = async (
  deps: Deps,
  { id: eventId, data }: Event<'ReportAnswered'>,
): Promise<void> => {
  const { userId, about, title, reason } = data;
  const isToAuthor = data.to === 'author';
  if (isToAuthor && userId !== null) {
    const outcome = `${outcomeForAuthor(data)} ${reason}`;
    // The title of a reported person is the reader's own name.
    const message = about === 'person' ? outcome : `${title}: ${outcome}`;
    await deps.notices.add({ eventId, userId, bookingId: null, kind: 'moderation', message });
  }
  const email = isToAuthor ? answerForAuthorEmail : answerForReporterEmail;
  await queueEmail(
    deps,
    { eventId, template: `report-${data.to}`, to: addressOf(data) },
    email(siteOf(deps), data),
  );
};
