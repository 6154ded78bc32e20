import { emitLocally } from './live.ts';

let watched: string | null = null;

/** The tool whose calendar is on the screen. */
export const watchedTool = () => watched;

/** Hears of changes to a tool's calendar from now on, until the returned function is called: of one tool at a time. */
export function watchTool(toolId: string): () => void {
  const set = (next: string | null) => {
    watched = next;
    emitLocally('watch', undefined);
  };
  set(toolId);
  return () => {
    if (watched === toolId) set(null);
  };
}
