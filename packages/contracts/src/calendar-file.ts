/** A booking as it appears in the calendar of one of its parties. */
export interface CalendarEntry {
  /** The booking's id. Calendars replace an entry with the same id. */
  id: string;
  toolName: string;
  bookingCode: string;
  startsAt: string;
  endsAt: string;
  /** When the booking last changed. */
  changedAt: string;
  /** The other party's first name. `as`: the role of the calendar's owner. */
  other: string;
  as: 'renter' | 'owner';
  /** The pick-up place; omitted for the owner. */
  place?: string | undefined;
  isCancelled?: boolean;
  /** True if the owner has not accepted the request yet. */
  isRequest?: boolean;
  /** The booking's number of changes, the base of SEQUENCE: calendars only import a file with a higher SEQUENCE. */
  changeCount?: number | undefined;
}

interface FileOptions {
  /** True for a feed that calendars subscribe to. */
  isFeed?: boolean;
  /** The site's URL; set only for emailed files, whose METHOD adds or cancels events (RFC 5546). */
  organizer?: string;
}

/** Escapes special characters as in RFC 5545, and drops other control characters. */
const escapeText = (text: string): string =>
  text
    .replace(/\r?\n|\r/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n');

/** Formats `2026-11-27T17:00:00.000Z` as `20261127T170000Z`. */
const stamp = (instant: string): string => instant.replaceAll(/[-:]|\.\d+/g, '');

const longestLine = 75;

/** Folds a line at 75 bytes; continuation lines begin with a space. */
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

/** Makes subscribed calendars refresh hourly. */
const subscribed = ['X-WR-CALNAME:LendTools', 'REFRESH-INTERVAL;VALUE=DURATION:PT1H'];

/** For a file without bookings: RFC 5545 requires at least one component, and a time zone component shows no event. */
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

/** Creates an iCalendar file (RFC 5545) to import or subscribe to. */
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
