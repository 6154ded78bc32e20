/** A booking as one of its two parties has it in a calendar. */
export interface CalendarEntry {
  /** Of the booking: a later copy takes the place of an earlier one. */
  id: string;
  toolName: string;
  bookingCode: string;
  startsAt: string;
  endsAt: string;
  /** When it last changed. */
  changedAt: string;
  /** The other party's first name, and which of the two the calendar's owner is. */
  other: string;
  as: 'renter' | 'owner';
  /** Where the tool is picked up; the owner knows. */
  place?: string | undefined;
  isCancelled?: boolean;
  /** Its owner has not accepted yet. */
  isRequest?: boolean;
  /** How often it was changed: a calendar takes a file over only with a higher number than the one before. */
  changeCount?: number | undefined;
}

interface FileOptions {
  /** Whether somebody subscribes to it. */
  isFeed?: boolean;
  /** The site's address, where the file is sent: then it says whether it adds to a calendar or takes from it (RFC 5546). */
  organizer?: string;
}

/** RFC 5545 gives these a meaning of their own within a text, and allows no other control characters. */
const escapeText = (text: string): string =>
  text
    .replace(/\r?\n|\r/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n');

/** `2026-11-27T17:00:00.000Z` as `20261127T170000Z`. */
const stamp = (instant: string): string => instant.replaceAll(/[-:]|\.\d+/g, '');

const longestLine = 75;

/** No line may be longer than 75 bytes; the next one then begins with a space. */
const fold = (line: string): string => {
  const bytes = new TextEncoder();
  let folded = '';
  let length = 0;
  for (const character of line) {
    const size = bytes.encode(character).length;
    if (length + size > longestLine) {
      folded += '\r\n ';
      length = 1;
    }
    folded += character;
    length += size;
  }
  return folded;
};

const statusOf = ({ isCancelled, isRequest }: CalendarEntry): string => {
  if (isCancelled) return 'CANCELLED';
  return isRequest ? 'TENTATIVE' : 'CONFIRMED';
};

const titleOf = ({ isCancelled, isRequest }: CalendarEntry, summary: string): string => {
  if (isCancelled) return `Cancelled: ${summary}`;
  return isRequest ? `Requested: ${summary}` : summary;
};

const eventOf = (entry: CalendarEntry, organizer?: string): string[] => {
  const { id, toolName, bookingCode, other, as, place, isCancelled, changeCount = 0 } = entry;
  const summary = `${toolName} ${as === 'renter' ? 'from' : 'to'} ${other}`;
  return [
    'BEGIN:VEVENT',
    `UID:${id}@lendtools`,
    `DTSTAMP:${stamp(entry.changedAt)}`,
    `SEQUENCE:${changeCount + (isCancelled ? 1 : 0)}`,
    `STATUS:${statusOf(entry)}`,
    ...(organizer ? [`ORGANIZER;CN=LendTools:${organizer}`] : []),
    `DTSTART:${stamp(entry.startsAt)}`,
    `DTEND:${stamp(entry.endsAt)}`,
    `SUMMARY:${escapeText(titleOf(entry, summary))}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    `DESCRIPTION:${escapeText(`Booking code ${bookingCode}, ${as === 'renter' ? 'rented' : 'lent'} on LendTools.`)}`,
    'END:VEVENT',
  ];
};

/** How often whoever subscribes to a calendar shall look again. */
const subscribed = ['X-WR-CALNAME:LendTools', 'REFRESH-INTERVAL;VALUE=DURATION:PT1H'];

/** A calendar has at least one component; this one shows nothing. */
const emptyCalendar = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** The bookings as an iCalendar file (RFC 5545), which every calendar can add, or subscribe to. */
export const calendarFile = (
  entries: CalendarEntry[],
  { isFeed = false, organizer }: FileOptions = {},
): string => {
  const method = entries.every(({ isCancelled }) => isCancelled) ? 'CANCEL' : 'PUBLISH';
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//LendTools//Bookings//EN',
    ...(organizer ? [`METHOD:${method}`] : []),
    ...(isFeed ? subscribed : []),
    ...(entries.length > 0 ? entries.flatMap((entry) => eventOf(entry, organizer)) : emptyCalendar),
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
};
