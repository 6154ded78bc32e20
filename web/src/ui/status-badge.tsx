import { Badge } from '@mantine/core';

/** Green: available or done. Orange: in progress. Red: overdue, declined, failed or canceled. Gray: everything else. */
const colors: Record<string, string> = {
  Available: 'green',
  Authorized: 'green',
  Booked: 'orange',
  Returned: 'green',
  Completed: 'green',
  'Out now': 'orange',
  'Due back': 'orange',
  Overdue: 'red',
  Back: 'green',
  Held: 'orange',
  Requested: 'orange',
  'Change asked': 'orange',
  'Problem reported': 'orange',
  Declined: 'red',
  Failed: 'red',
  Cancelled: 'red',
  UnAuthorized: 'gray',
  Unavailable: 'gray',
  Expired: 'gray',
};

/** A documented status in its color; "null" is shown as "Not returned". */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge
      variant="light"
      color={colors[status] ?? 'gray'}
      size="lg"
      tt="none"
      fw={600}
      miw="max-content"
    >
      {status === 'null' ? 'Not returned' : status}
    </Badge>
  );
}
