import { type Quota, scaled } from '@lendtools/service-kit';

/** Limits per owner: enough for a library of things, too few to list and delete in a loop. */
export interface ToolLimits {
  /** Listed at the same time. */
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
      refusal: 'You have listed many tools today.',
    },
    edits: {
      kind: 'tool-edits',
      limit: times(300),
      windowSeconds: 3_600,
      refusal: 'You have changed your tools many times.',
    },
    saves: {
      kind: 'tool-saves',
      limit: times(600),
      windowSeconds: 3_600,
      refusal: 'You have saved and unsaved many tools.',
    },
    // Enough for 25 tools with five phone photos each.
    uploadMegabytesPerDay: 500 * factor,
  };
};
