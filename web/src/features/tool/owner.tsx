import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Group, Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { lazy } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { counted } from '../../rental/format.ts';
import { Face } from '../../ui/face.tsx';
import { Part } from '../../ui/part.tsx';
import { EmailVerified } from '../../ui/verify-email.tsx';
import { AskOwner } from './ask-owner.tsx';
import classes from './tool-page.module.css';
import { useToolOwnerQuery } from './tool-page-api.ts';

const ReportButton = lazy(() => import('../../ui/report/report-button.tsx'));
const BlockButton = lazy(() => import('../../ui/block-button.tsx'));

export function Owner({ tool }: { tool: Tool }) {
  const { first_name, last_name, city } = tool.user;
  const userId = useUser()?.id;
  const navigate = useNavigate();
  // Load separately: the page does not wait for the owner's picture and rating.
  const { data: owner } = useToolOwnerQuery(tool.id);
  return (
    <Group gap="md" wrap="nowrap" className={classes.owner}>
      <Face name={`${first_name} ${last_name}`} image={owner?.image} size={64} />
      <div>
        <Text fw={650} fz="lg">
          Lent by{' '}
          <Anchor component={Link} to={paths.ofId(paths.person, tool.userId)} inherit>
            {first_name}
          </Anchor>
        </Text>
        <Group gap="4px 12px" c="dimmed" fz="sm">
          {tool.user.emailVerified && <EmailVerified />}
          <span>{city}</span>
          {owner && owner.reviewCount > 0 && (
            <Group gap={4} component="span">
              <IconStarFilled size={14} className={classes.star} aria-hidden />
              {owner.rating.toFixed(1)} from {counted(owner.reviewCount, 'review')}
            </Group>
          )}
          {owner && (
            <span>{owner.rentals > 0 ? counted(owner.rentals, 'rental') : 'New on LendTools'}</span>
          )}
        </Group>
        {userId !== tool.userId && (
          <Group gap="xs" mt="xs">
            <AskOwner tool={tool} />
            {userId && (
              <Part>
                <ReportButton about="person" id={tool.userId} what={first_name} />
                <BlockButton
                  userId={userId}
                  id={tool.userId}
                  name={first_name}
                  onBlocked={() => void navigate(paths.dashboard)}
                />
              </Part>
            )}
          </Group>
        )}
      </div>
    </Group>
  );
}
