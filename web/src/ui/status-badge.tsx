import { Badge } from '@mantine/core';

/** Green: available or done. Orange: in progress. Red: overdue, declined, failed or canceled. Gray: everything else. */
const colors: Record<string, string> = {
  Available: 'green',
  Authorized: 'green',
  Booked: 'orange',
  Returned: 'green',
  Completed: 'green',
  'Taken now': 'orange',
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
  'Hidden by LendTools': 'red',
  UnAuthorized: 'gray',
  Unavailable: 'gray',
  Expired: 'gray',
};

/** Shows a status. The API sends the text "null" for a tool that is not returned. */
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
