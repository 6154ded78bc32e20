type Fault = { name: string; nth: number; kind: 'kill' | 'hang' | 'throw' };

let armed: (Fault & { seen: number }) | undefined;

/**
 * Arms a fault: `relay.afterConfirm:3:kill` acts on the third call of `faultPoint`. `kill` sends SIGKILL to this
 * process, `hang` waits forever, `throw` throws.
 */
export const armFault = (text: string | undefined): void => {
  const [name, nth, kind] = text?.split(':') ?? [];
  armed = name
    ? { name, nth: Number(nth ?? 1), kind: (kind ?? 'kill') as Fault['kind'], seen: 0 }
    : undefined;
};

/** Marks a place where fault tests may break the process; a no-op unless armed. */
export const faultPoint = async (name: string): Promise<void> => {
  if (armed?.name !== name || ++armed.seen !== armed.nth) return;
  if (armed.kind === 'kill') process.kill(process.pid, 'SIGKILL');
  if (armed.kind === 'throw') throw new Error(`Fault at ${name}`);
  await new Promise(() => {});
};
