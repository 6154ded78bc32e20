import { inTab, keep, namesIn, readKept } from './kept.ts';

/** A visitor's questions are kept in the tab only, because the next visitor may use the same computer. */
const prefix = 'visitor-question:';

export function toolsOfVisitorQuestions(): string[] {
  return namesIn(inTab)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

export function readVisitorQuestion(toolId: string): string {
  return readKept<string>(prefix + toolId, inTab) ?? '';
}

export function keepVisitorQuestion(toolId: string, text: string): void {
  keep(prefix + toolId, text || null, inTab);
}
