type Fault = { name: string; nth: number; kind: 'kill' | 'hang' | 'throw' };

let armed: (Fault & { seen: number }) | undefined;

/** The fault `relay.afterConfirm:3:kill` kills this process at the third call of that point. With `hang`, the call never returns. */
export const armFault = (text: string | undefined): void => {
  const [name, nth, kind] = text?.split(':') ?? [];
  armed = name
    ? { name, nth: Number(nth ?? 1), kind: (kind ?? 'kill') as Fault['kind'], seen: 0 }
    : undefined;
};

/** A place where fault tests may break the process. Does nothing unless it is armed. */
export const faultPoint = async (name: string): Promise<void> => {
  if (armed?.name !== name || ++armed.seen !== armed.nth) return;
  if (armed.kind === 'kill') process.kill(process.pid, 'SIGKILL');
  if (armed.kind === 'throw') throw new Error(`Fault at ${name}`);
  await new Promise(() => {});
};
