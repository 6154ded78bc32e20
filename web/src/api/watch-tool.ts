import { emitLocally } from './live.ts';

let watched: string | null = null;

export function watchedTool() {
  return watched;
}

/** Subscribes to changes of a tool's calendar until the returned function is called. Only one tool is watched at a time. */
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
