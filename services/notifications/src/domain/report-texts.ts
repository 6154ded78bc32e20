import type { EventData, ReportedKind } from '@lendtools/contracts';

type Answered = EventData<'ReportAnswered'>;
type Decided = Pick<Answered, 'about' | 'decision' | 'replaces'>;

export const reportedInWords = (about: ReportedKind): string => `a ${about}`;

export const outcomeForReporter = ({ about, decision }: Decided): string => {
  switch (decision) {
    case 'dismiss':
      return about === 'person'
        ? 'We have looked at it and do nothing further.'
        : `We have looked at the ${about} and leave it as it is.`;
    case 'warn':
      return about === 'person'
        ? 'We have warned the person.'
        : `We have looked at the ${about} and warned the person behind it.`;
    case 'hide':
      return `We have hidden the ${about}.`;
    case 'disable':
      return about === 'person'
        ? 'We have disabled the person’s account.'
        : `We have disabled the account of the person behind the ${about}.`;
  }
};

const yours: Record<ReportedKind, string> = {
  tool: 'your tool',
  person: 'your behavior',
  review: 'your review',
  message: 'your message',
};

export const outcomeForAuthor = ({ about, decision, replaces }: Decided): string => {
  const what = yours[about];
  switch (decision) {
    case 'dismiss':
      return replaces === 'hide'
        ? `We have looked at ${what} again and show it again.`
        : `We have looked at ${what} again and withdraw our decision.`;
    case 'warn':
      return replaces === 'hide'
        ? `We show ${what} again. Please take our reasons as a warning.`
        : `This is a warning about ${what}.`;
    case 'hide':
      return `We have hidden ${what}. Nobody else sees it.`;
    case 'disable':
      return 'We have disabled your account.';
  }
};
