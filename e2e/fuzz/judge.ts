import { findLeaks } from '../src/leaks.ts';
import type { Caller, World } from '../src/world.ts';
import { misfitOf, type Operation } from './operations.ts';
import type { WireReply, WireRequest } from './send.ts';

const grantTokens = new Set([
  'login',
  'secondFactorLogin',
  'passkeyLogin',
  'refreshToken',
  'reauthenticate',
]);

/** Returns the faults of a reply: a 5xx, a violation of the API document, leaked data, or an injected header. */
export const judge = (
  { operation, caller }: { operation: Operation; caller: Caller },
  request: WireRequest,
  reply: WireReply,
  world: World,
): string[] => {
  const requested =
    decodeURIComponent(request.path.replace(/%(?![0-9a-f]{2})|%[89a-f][0-9a-f]/gi, '')) +
    (request.body ?? '');
  const leaks = findLeaks(reply.text + JSON.stringify(reply.headers), {
    world,
    caller,
    requested,
    grantsToken: grantTokens.has(operation.name),
  });
  return [
    ...(reply.status >= 500 ? [`answers ${reply.status}`] : []),
    ...contractBreaches(operation, reply),
    ...leaks.map((leak) => `leaks ${leak}`),
    ...('x-injected' in reply.headers ? ['lets a header be injected'] : []),
  ];
};

const contractBreaches = (operation: Operation, { status, headers, text }: WireReply): string[] => {
  const documented = operation.responses[status];
  if (!documented) return [`${status} is not documented: ${text.slice(0, 200)}`];
  if (!documented.content) return text ? [`${status} has a body, which is not documented`] : [];
  const type = String(headers['content-type'] ?? '').split(';')[0] as string;
  const media = documented.content[type];
  if (!media) return [`${status} has the content type "${type}", which is not documented`];
  if (!type.endsWith('json')) return [];
  try {
    const misfit = misfitOf(media.schema, JSON.parse(text));
    return misfit ? [`${status} does not fit its schema: ${misfit} (${codeIn(text)})`] : [];
  } catch {
    return [`${status} is not JSON`];
  }
};

const codeIn = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? 'success';
