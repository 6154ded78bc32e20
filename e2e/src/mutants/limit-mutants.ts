// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const limitHolds = 'services/bookings/src/hold-cart/limit-holds';
const catalog = 'services/catalog/src';
const accounts = 'services/accounts/src';
const limitTools = `${catalog}/add-tool/limit-tools.test.ts`;
const limitSessions = `${accounts}/log-in/limit-sessions.test.ts`;
const endedHolds = 'services/bookings/src/purge-ended-holds/purge-ended-holds';
const pictures = `${catalog}/purge-tool-pictures/purge-tool-pictures`;

/** What one person may pile up, and what is deleted: lines 37 to 39. */
export const limitMutants: Mutant[] = [
  {
    rule: 37, breaks: 'has no bound on what is held at once',
    file: `${limitHolds}.ts`,
    find: 'if (held.liveUnitDays + unitDays > limits.unitDaysAtOnce)', replace: 'if (held.liveUnitDays < 0)',
    test: { file: `${limitHolds}.test.ts`, name: 'has room for a large order, and none for three carts of everything for three months' },
  },
  {
    rule: 37, breaks: 'counts what is paid among what is held',
    file: `${limitHolds}.ts`,
    find: 'FILTER (WHERE status = \'live\'), 0) AS "liveUnitDays",', replace: 'FILTER (WHERE status <> \'ended\'), 0) AS "liveUnitDays",',
    also: [{ file: `${limitHolds}.ts`, find: 'FROM holds WHERE user_id = $1 AND status <> \'paid\'`', replace: 'FROM holds WHERE user_id = $1`' }],
    test: { file: `${limitHolds}.test.ts`, name: 'counts all of the unpaid carts together, and what is paid no more' },
  },
  {
    rule: 37, breaks: 'forgets what was given up today',
    file: `${limitHolds}.ts`,
    find: 'if (held.lastDayUnitDays + unitDays > limits.unitDaysADay) await refuseForTheDay(tx, asked);', replace: '',
    test: { file: `${limitHolds}.test.ts`, name: 'is 3,000 tool-days in a day, over carts that were given up as well' },
  },
  {
    rule: 37, breaks: 'lets the same tool be held all day',
    file: `${limitHolds}.ts`,
    find: 'if (held.lastDay >= limits.holdsOfAToolADay) await limitHoldsOfTools(tx, asked);', replace: '',
    test: { file: `${limitHolds}.test.ts`, name: 'is the same tool ten times in a day, and others then get it' },
  },
  {
    rule: 37, breaks: 'takes carts without end',
    file: `${limitHolds}.ts`,
    find: 'if (held.lastHour >= limits.holdsAnHour) await refuseForAnHour(tx, asked);', replace: '',
    test: { file: `${limitHolds}.test.ts`, name: 'is sixty carts in an hour, also when several are asked for at once' },
  },
  {
    rule: 38, breaks: 'keeps tools without end',
    file: `${catalog}/add-tool/add-tool.ts`,
    find: '  if ((await lockAndCountTools(tx, ownerId)) >= limits.tools) throw tooManyTools(limits.tools);\n', replace: '',
    test: { file: limitTools, name: 'is so many tools at the same time, also when they are listed at once' },
  },
  {
    rule: 38, breaks: 'lets somebody list and delete in a loop',
    file: `${catalog}/add-tool/add-tool.ts`,
    find: '  await spend(tx, ownerId, limits.listings);\n', replace: '',
    test: { file: limitTools, name: 'is so many in a day, though all are deleted again' },
  },
  {
    rule: 38, breaks: 'lets somebody edit in a loop',
    file: `${catalog}/update-tool/update-tool.ts`,
    find: '      await spend(tx, user.userId, limits.edits);\n', replace: '',
    test: { file: limitTools, name: 'is so many edits in an hour' },
  },
  {
    rule: 38, breaks: 'takes pictures without end',
    file: `${catalog}/update-tool/update-tool.ts`,
    find: '    await spendUploads(pool, user.userId, { images: uploads, megabytesPerDay });\n', replace: '',
    test: { file: limitTools, name: 'is bounded in bytes, with a listing and with an edit' },
  },
  {
    rule: 38, breaks: 'keeps every session',
    file: `${accounts}/log-in/log-in.ts`,
    find: '      tell(...(await endSessionsBeyond(tx, user.id, quotas.sessions)));\n', replace: '',
    test: { file: limitSessions, name: 'keeps the newest sessions, and the oldest end everywhere' },
  },
  {
    rule: 38, breaks: 'rotates refresh tokens without end',
    file: `${accounts}/refresh-session/refresh-session.ts`,
    find: '      await spend(tx, user.id, deps.quotas.refreshes);\n', replace: '',
    test: { file: limitSessions, name: 'is told to wait, and so is who refreshes without end' },
  },
  {
    rule: 38, breaks: 'saves the profile without end',
    file: `${accounts}/update-account/update-account.ts`,
    find: '      await spend(tx, locked.id, deps.quotas.edits);\n', replace: '',
    test: { file: limitSessions, name: 'is told to wait, by changes and by the bytes of pictures' },
  },
  {
    rule: 38, breaks: 'counts every email that is guessed at',
    file: `${accounts}/rate-limits.ts`,
    find: '      await refuseUsedUp(loginOfIp, network);\n', replace: '',
    test: { file: limitSessions, name: 'leave no rows once their address has none left' },
  },
  {
    rule: 38, breaks: 'takes replies all day',
    file: 'services/messaging/src/thread-repository.ts',
    find: '      [limits.aDay, dayMs],\n', replace: '',
    test: { file: 'services/messaging/src/send-reply/send-reply.test.ts', name: 'takes five hundred a day of a person in a thread' },
  },
  {
    rule: 38, breaks: 'keeps every Idempotency-Key',
    file: 'packages/service-kit/src/idempotency.ts',
    find: '    await refuseTooManyKeys(tx, scope, route);\n', replace: '',
    test: { file: 'packages/service-kit/test/purge.test.ts', name: 'is refused to somebody who has thought up thousands' },
  },
  {
    rule: 39, breaks: 'forgets no hold',
    file: 'services/bookings/src/start-bookings.ts',
    find: '          ended_holds: () => purgeEndedHolds(deps.pool),\n', replace: '',
    test: { file: `${endedHolds}.test.ts`, name: 'held and released in a loop leave nothing a week later, and are counted' },
  },
  {
    rule: 39, breaks: 'forgets holds at once',
    file: `${endedHolds}.ts`,
    find: 'const keepDays = 7;', replace: 'const keepDays = 0;',
    test: { file: `${endedHolds}.test.ts`, name: 'stay for a week, as do those that are live or paid for ever' },
  },
  {
    rule: 39, breaks: 'keeps the notes of holds whose end it did not hear of',
    file: `${catalog}/purge-unpaid-holds/purge-unpaid-holds.ts`,
    find: 'coalesce(expired_at, held_at)', replace: 'expired_at',
    test: { file: `${catalog}/purge-unpaid-holds/purge-unpaid-holds.test.ts`, name: 'go a week after the hold, heard of its end or not, and are counted; booked ones stay' },
  },
  {
    rule: 39, breaks: 'deletes the pictures that bookings show',
    file: `${pictures}.ts`,
    find: '\n     UNION SELECT cover_image FROM tool_bookings WHERE cover_image = ANY($1)', replace: '',
    test: { file: `${pictures}.test.ts`, name: 'that somebody has booked by stays, though its tool is gone; the others of the tool go' },
  },
  {
    rule: 39, breaks: 'deletes at once what nobody is shown',
    file: 'packages/service-kit/src/purge-pictures.ts',
    find: 'const unusedDays = 7;', replace: 'const unusedDays = -1;',
    test: { file: `${pictures}.test.ts`, name: 'that was replaced goes after a week, in all its widths; one in use stays' },
  },
  {
    rule: 39, breaks: 'deletes a picture that was uploaded again',
    file: 'packages/service-kit/src/images.ts',
    find: 'if ((await stat(at(aside + name))).mtimeMs < savedBefore) await rm(at(aside + name));', replace: 'if (savedBefore > 0) await rm(at(aside + name));',
    test: { file: `${pictures}.test.ts`, name: 'removes none that was saved again meanwhile' },
  },
  {
    rule: 39, breaks: 'deletes the picture that somebody else has',
    file: `${accounts}/purge-user-pictures/purge-user-pictures.ts`,
    find: '\'SELECT image FROM users WHERE image = ANY($1)\'', replace: '\'SELECT max(image) AS image FROM users WHERE image = ANY($1)\'',
    test: { file: `${accounts}/purge-user-pictures/purge-user-pictures.test.ts`, name: 'goes a week after it was replaced, unless somebody else has the same' },
  },
  {
    rule: 39, breaks: 'keeps every notice',
    file: 'services/notifications/src/notice-repository.ts',
    find: 'return (await purgeAged()) + (await purgeSurplus());', replace: 'return purgeAged();',
    test: { file: 'services/notifications/src/purge-notices/purge-notices.test.ts', name: 'of one person are the newest thousand, and the first unread message of each booking' },
  },
];
