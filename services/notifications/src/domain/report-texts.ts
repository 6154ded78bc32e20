import type { EventData, ReportedKind } from '@lendtools/contracts';

type Answered = EventData<'ReportAnswered'>;
type Decided = Pick<Answered, 'about' | 'decision' | 'replaces'>;

const kinds: Record<ReportedKind, string> = { tool: 'tool' };

export const reportedInWords = (about: ReportedKind): string => `a ${kinds[about]}`;

/** What the reporter is told: it is the same whether the author has an account that is disabled or not. */
export const outcomeForReporter = ({ about, decision }: Decided): string => {
  const kind = kinds[about];
  switch (decision) {
    case 'dismiss':
      return `We have looked at the ${kind} and leave it as it is.`;
    case 'warn':
      return `We have looked at the ${kind} and warned the person who published it.`;
    case 'hide':
      return `We have hidden the ${kind}.`;
    case 'disable':
      return `We have disabled the account of the person who published the ${kind}.`;
  }
};

export const outcomeForAuthor = ({ about, decision, replaces }: Decided): string => {
  const kind = kinds[about];
  switch (decision) {
    case 'dismiss':
      return replaces === 'hide'
        ? `We have looked at your ${kind} again and show it again.`
        : `We have looked at your ${kind} again and withdraw our decision.`;
    case 'warn':
      return replaces === 'hide'
        ? `We show your ${kind} again. Please take our reasons as a warning.`
        : `This is a warning about your ${kind}.`;
    case 'hide':
      return `We have hidden your ${kind}. Nobody else sees it.`;
    case 'disable':
      return 'We have disabled your account.';
  }
};
