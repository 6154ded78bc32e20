import { type Quota, scaled } from '@lendtools/service-kit';

/** Limits per owner: high enough for a tool library, too low to list and delete tools in a loop. */
export interface ToolLimits {
  /** How many tools an owner may have listed at the same time. */
  tools: number;
  listings: Quota;
  edits: Quota;
  saves: Quota;
  uploadMegabytesPerDay: number;
}

export const toolLimits = (factor: number): ToolLimits => {
  const times = (limit: number): number => scaled(limit, factor);
  return {
    tools: times(300),
    listings: {
      kind: 'listings',
      limit: times(300),
      windowSeconds: 86_400,
      rejection: 'You have listed many tools today.',
    },
    edits: {
      kind: 'tool-edits',
      limit: times(300),
      windowSeconds: 3_600,
      rejection: 'You have changed your tools many times.',
    },
    saves: {
      kind: 'tool-saves',
      limit: times(600),
      windowSeconds: 3_600,
      rejection: 'You have saved and unsaved many tools.',
    },
    // Enough for 25 tools a day with five phone photos each.
    uploadMegabytesPerDay: 500 * factor,
  };
};
