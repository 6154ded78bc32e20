import type { Tool } from '@lendtools/contracts';
import { useEffect, useRef } from 'react';
import { errorCode, errorMessage } from '../../api/error-message.ts';
import { useLazyToolQuery } from '../../api/tool-api.ts';
import { dismissToast, toastError } from '../../ui/toast.ts';
import { toastWithUndo } from '../../ui/undo-toast.tsx';
import {
  applyChange,
  type Block,
  type BlockChange,
  blockRange,
  freeDay,
  rangeInWords,
  reverseChange,
} from './lent-days.ts';
import { useUpdateToolMutation } from './my-tools-api.ts';

const undoMs = 10_000;

type BlockEdit = (blocked: Block[]) => BlockChange;

/** Returns a function that changes the blocked days, based on the newest known version of the tool. */
function useBlockedDays(tools: Tool[]) {
  const [update] = useUpdateToolMutation();
  const [readTool] = useLazyToolQuery();
  const newest = useRef(new Map<string, Tool>());
  useEffect(() => {
    for (const tool of tools) {
      const newestTool = newest.current.get(tool.id);
      if ((newestTool?.revision ?? 0) <= (tool.revision ?? 0)) newest.current.set(tool.id, tool);
    }
  }, [tools]);

  const save = async (tool: Tool, change: BlockEdit) => {
    const blocked = tool.terms?.blocked ?? [];
    const made = change(blocked);
    const form = new FormData();
    form.set('terms', JSON.stringify({ ...tool.terms, blocked: applyChange(blocked, made) }));
    const { data, error } = await update({ tool, form });
    if (data) newest.current.set(tool.id, data.rental);
    return { tool, made, error };
  };
  return async (toolId: string, change: BlockEdit) => {
    const tool = newest.current.get(toolId);
    if (!tool) return null;
    const saved = await save(tool, change);
    if (errorCode(saved.error) !== 'EDITED_ELSEWHERE') return saved;
    const { data } = await readTool(toolId);
    return data ? save(data, change) : saved;
  };
}

/** Blocks and unblocks days, one change after the other. The last change can be undone for a while. */
export function useBlocking(tools: Tool[]) {
  const change = useBlockedDays(tools);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const toast = useRef('');
  const apply = (toolId: string, days: BlockEdit) => {
    last.current = last.current.then(() => applyNow(toolId, days)).catch(() => undefined);
  };
  const applyNow = async (toolId: string, days: BlockEdit) => {
    const done = await change(toolId, days);
    if (!done) return;
    const { tool, made, error } = done;
    if (error) return toastError(errorMessage(error));
    const isFreed = made.into.length === 0;
    const ranges = (isFreed ? made.out : made.into).map(rangeInWords).join(', ');
    // Remove the toast of the previous change, whose undo button no longer applies.
    void dismissToast(toast.current);
    toast.current = toastWithUndo(
      `${tool.name} is ${isFreed ? 'free again' : 'blocked'}: ${ranges}`,
      undoMs,
      () => apply(toolId, () => reverseChange(made)),
    );
  };
  return {
    block: (toolId: string, days: Block) => apply(toolId, (blocked) => blockRange(blocked, days)),
    free: (toolId: string, day: string) => apply(toolId, (blocked) => freeDay(blocked, day)),
  };
}
