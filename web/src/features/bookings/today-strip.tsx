import type { Today } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { timeInWords } from '@lendtools/contracts/rental-period';
import {
  IconArrowBackUp,
  IconCoin,
  IconHandGrab,
  IconMessageQuestion,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { formatCents, formatDay, formatMonth } from '../../rental/format.ts';
import { useTodayQuery } from './bookings-api.ts';
import classes from './today-strip.module.css';

interface TileProps {
  icon: ComponentType<IconProps>;
  title: string;
  words: string;
  to: string;
}

function Tile({ icon: Icon, title, words, to }: TileProps) {
  return (
    <li>
      <Link to={to} className={classes.tile}>
        <Icon size={22} stroke={1.7} aria-hidden className={classes.icon} />
        <span className={classes.text}>
          <strong>{title}</strong> <span className={classes.words}>{words}</span>
        </span>
      </Link>
    </li>
  );
}

type Due = Today['handOvers'];

interface DueTileProps extends Pick<TileProps, 'icon' | 'title'> {
  due: Due;
  /** The word between the tool and its renter. */
  link: 'to' | 'from';
}

/** Leads to the booking or, if there are several, to all of them. */
function DueTile({ due: { count, first }, link, icon, title }: DueTileProps) {
  if (!first) return null;
  const { bookingId, name, renter, time, overdueSince } = first;
  const when = overdueSince
    ? `, due ${formatDay(overdueSince)}`
    : time && `, ${timeInWords(time).replace(' ', '\u00a0')}`;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return (
    <Tile
      icon={icon}
      title={overdueSince ? 'Overdue' : title}
      words={`${name} ${link} ${renter}${when}${more}`}
      to={count > 1 ? paths.myBookings : paths.ofId(paths.myBooking, bookingId)}
    />
  );
}

/** What an owner has to do today. Nothing for a user who has not lent anything this month. */
export default function TodayStrip() {
  const userId = useUser()?.id ?? '';
  const { data: today } = useTodayQuery(userId, { skip: !userId, refetchOnFocus: true });
  if (!today) return null;
  const { handOvers, returns, answers, earnedCents } = today;
  if (!handOvers.first && !returns.first && !answers.first && earnedCents === 0) return null;
  return (
    <section aria-label="Today" className={classes.strip}>
      <ul className={classes.tiles}>
        <DueTile icon={IconMessageQuestion} title="Answer" due={answers} link="from" />
        <DueTile icon={IconHandGrab} title="Hand over" due={handOvers} link="to" />
        <DueTile icon={IconArrowBackUp} title="Comes back" due={returns} link="from" />
        <Tile
          icon={IconCoin}
          title={formatCents(earnedCents)}
          words={`earned in ${formatMonth(new Date().toISOString())}`}
          to={paths.earnings}
        />
      </ul>
    </section>
  );
}
