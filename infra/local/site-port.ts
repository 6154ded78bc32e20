import { isFree, type Ports, whoListensOn } from './ports.ts';

const usualPort = 8080;

/** The site's port: the requested one, or an error that names the process using it; by default 8080 or a free one. */
export async function chooseSitePort(options: {
  asked: number | null;
  ports: Ports;
  say: (line: string) => void;
}): Promise<number> {
  const { asked, ports, say } = options;
  if (asked === 0) return ports.pick('site');
  const wanted = asked ?? usualPort;
  if (await isFree(wanted)) return wanted;
  const taken = `Port ${wanted} is taken by ${whoListensOn(wanted)}.`;
  if (asked !== null) throw new Error(`${taken} Choose another one: npm start -- --port 9000`);
  const other = await ports.pick('site');
  say(`${taken} The site is on port ${other} instead.`);
  return other;
}
