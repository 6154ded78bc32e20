import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

/** Opens something in Stripe's dashboard; `name` makes the link's accessible label unique. */
export function StripeButton({ name, url }: { name: string; url: string }) {
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      variant="light"
      size="sm"
      aria-label={`Open ${name} in Stripe`}
      rightSection={<IconExternalLink size={14} aria-hidden />}
    >
      Stripe
    </Button>
  );
}
