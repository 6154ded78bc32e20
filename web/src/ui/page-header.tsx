import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

interface BackLinkProps {
  to: string;
  children: string;
  mb?: string;
}

export function BackLink({ to, children, mb }: BackLinkProps) {
  return (
    <Anchor
      component={Link}
      to={to}
      size="sm"
      c="dimmed"
      display="flex"
      w="fit-content"
      py={4}
      mb={mb}
    >
      <Group gap={4} component="span">
        <IconArrowLeft size={16} aria-hidden /> {children}
      </Group>
    </Anchor>
  );
}

interface PageHeaderProps {
  title: string;
  intro?: ReactNode;
  back?: { to: string; label: string };
  action?: ReactNode;
}

/** The top of a page. Also sets the tab's title. */
export function PageHeader({ title, intro, back, action }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="end" gap="md" mb="lg">
      <title>{`${title} · LendTools`}</title>
      <Stack gap={4}>
        {back && <BackLink to={back.to}>{back.label}</BackLink>}
        <Title order={1} fz="clamp(1.5rem, 1.25rem + 1.2vw, 2rem)">
          {title}
        </Title>
        {intro && <Text c="dimmed">{intro}</Text>}
      </Stack>
      {action}
    </Group>
  );
}
